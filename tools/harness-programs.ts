import { inParallel } from '@catalog/core/in-parallel';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { plantedErrors } from '../tests/fixtures/harness-programs/planted-errors.ts';
import type { Verdict } from './harness-programs/check-program.ts';
import type { ContentReport } from './harness-programs/content/check-content.ts';
import {
  contentTable,
  isFaithful,
  isNoticed,
  plantedTable,
} from './harness-programs/content/content-table.ts';
import { contentPrograms } from './harness-programs/content/programs/index.ts';
import type { InlineReport } from './harness-programs/inline-commands/check-inline-commands.ts';
import { inlinePrograms } from './harness-programs/inline-commands/inline-programs.ts';
import { inlineTable, isCovered } from './harness-programs/inline-commands/inline-table.ts';
import { installProgram } from './harness-programs/install-program.ts';
import { namespaceCommand } from './harness-programs/namespace.ts';
import type { HarnessProgram } from './harness-programs/program.ts';
import { reportOutdated } from './harness-programs/outdated.ts';
import { programs } from './harness-programs/programs/index.ts';
import { isPassed, verdictTable, type ProgramResult } from './harness-programs/verdict-table.ts';

const USAGE = `usage: ./dev harness-programs [--content | --planted | --inline-commands] [--json] [name...]
       ./dev harness-programs --outdated [--record]
programs: ${programs.map(({ name }) => name).join(', ')}; without a name, all of them`;

const SEALED = join(import.meta.dirname, 'harness-programs/sealed.ts');
const SEALED_CONTENT = join(import.meta.dirname, 'harness-programs/content/sealed.ts');
const SEALED_INLINE = join(import.meta.dirname, 'harness-programs/inline-commands/sealed.ts');

/** Number of concurrent programs, which mostly wait for timeouts. */
const AT_ONCE = 3;

/** `./dev harness-programs [name...]` checks with the real programs what the profiles write. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      content: { type: 'boolean', default: false },
      planted: { type: 'boolean', default: false },
      outdated: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      'inline-commands': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  if (values.outdated) return reportOutdated(values);
  const unknown = positionals.filter((word) => programs.every(({ name }) => name !== word));
  if (unknown.length > 0) {
    process.stderr.write(`no program "${unknown.join(', ')}"\n${USAGE}\n`);
    return 2;
  }
  const chosen = programs.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  if (values.content || values.planted) return compareContent(chosen, values);
  if (values['inline-commands']) return compareInlineCommands(chosen, values.json);
  const judgements = await judgeAll(chosen);
  process.stdout.write(
    values.json ? `${JSON.stringify({ judgements }, null, 2)}\n` : verdictTable(judgements),
  );
  return judgements.every(isPassed) ? 0 : 1;
}

/** With `planted`, each planted error is put into a rendered workspace, and a check must notice it. */
async function compareContent(
  chosen: readonly HarnessProgram[],
  { planted, json }: { planted: boolean; json: boolean },
): Promise<number> {
  const watched = chosen.filter(({ name }) => contentPrograms.some((one) => one.name === name));
  const errors = planted ? plantedErrors.map(({ id }) => id) : [];
  const reports = await inParallel(watched, { parallel: AT_ONCE }, (program) =>
    runSealedCheck<ContentReport>(program, SEALED_CONTENT, errors),
  );
  const table = planted ? plantedTable(reports) : contentTable(reports);
  process.stdout.write(json ? `${JSON.stringify({ reports }, null, 2)}\n` : table);
  const passed = planted
    ? errors.every((error) => isNoticed(error, reports))
    : reports.every(isFaithful);
  return passed ? 0 : 1;
}

async function compareInlineCommands(
  chosen: readonly HarnessProgram[],
  json: boolean,
): Promise<number> {
  const requestedPrograms = chosen.filter(({ name }) =>
    inlinePrograms.some((one) => one.name === name),
  );
  const reports: InlineReport[] = [];
  // Sequential, because each program needs a processor for itself.
  for (const program of requestedPrograms) {
    const report = await runSealedCheck<InlineReport>(program, SEALED_INLINE);
    if (!json) process.stdout.write(inlineTable([report]));
    reports.push(report);
  }
  if (json) process.stdout.write(`${JSON.stringify({ reports }, null, 2)}\n`);
  return reports.every(isCovered) ? 0 : 1;
}

function judgeAll(chosen: readonly HarnessProgram[]): Promise<ProgramResult[]> {
  return inParallel(chosen, { parallel: AT_ONCE }, checkOne);
}

/** A program that cannot be installed or run fails, and does not stop the others. */
async function checkOne(program: HarnessProgram): Promise<ProgramResult> {
  const { title, stands_in } = program;
  const about = stands_in === undefined ? { title } : { title, stands_in };
  try {
    return { ...about, verdicts: await runSealedCheck<Verdict[]>(program, SEALED) };
  } catch (error) {
    return { ...about, verdicts: [], problem: String(error) };
  }
}

async function runSealedCheck<T>(
  program: HarnessProgram,
  script: string,
  more: readonly string[] = [],
): Promise<T> {
  // Fails before anything is downloaded if namespaces are not available.
  const [unshare = '', ...words] = namespaceCommand();
  const installed = await installProgram(program);
  process.stderr.write(`asking ${program.title} ${program.version}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'catalog-programs-'));
  const node = [process.execPath, '--conditions=@catalog/source', script];
  try {
    const args = [program.name, JSON.stringify(installed), ...more];
    const child = spawn(unshare, [...words, ...node, ...args], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (code !== 0) throw new Error('it could not be asked; the reason stands above');
    return JSON.parse(output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
