import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Verdict } from './harness-programs/check-program.ts';
import { installProgram } from './harness-programs/install-program.ts';
import { sealingWords } from './harness-programs/namespace.ts';
import type { HarnessProgram } from './harness-programs/program.ts';
import { programs } from './harness-programs/programs/index.ts';
import { isPassed, verdictTable, type Judgement } from './harness-programs/verdict-table.ts';

const USAGE = `usage: ./dev harness-programs [--json] [name...]
programs: ${programs.map(({ name }) => name).join(', ')}; without a name, all of them`;

const SEALED = join(import.meta.dirname, 'harness-programs/sealed.ts');

/** At once: much of the asking is waiting for what cannot be reached. */
const AT_ONCE = 3;

/** `./dev harness-programs [name...]`: the real programs judge what the profiles write. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((word) => programs.every(({ name }) => name !== word));
  if (unknown.length > 0) {
    process.stderr.write(`no program "${unknown.join(', ')}"\n${USAGE}\n`);
    return 2;
  }
  const chosen = programs.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  const judgements = await judgeAll(chosen);
  process.stdout.write(
    values.json ? `${JSON.stringify({ judgements }, null, 2)}\n` : verdictTable(judgements),
  );
  return judgements.every(isPassed) ? 0 : 1;
}

/** In the order of the programs, whichever is ready first. */
async function judgeAll(chosen: readonly HarnessProgram[]): Promise<Judgement[]> {
  const judgements: Judgement[] = [];
  const waiting = [...chosen.entries()];
  async function judgeNext(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, program] = next;
      judgements[index] = await judge(program);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, judgeNext));
  return judgements;
}

/** One that cannot be installed or asked has not passed, and keeps no other from being asked. */
async function judge(program: HarnessProgram): Promise<Judgement> {
  const { title, stands_in } = program;
  const about = stands_in === undefined ? { title } : { title, stands_in };
  try {
    return { ...about, verdicts: await askSealed(program) };
  } catch (error) {
    return { ...about, verdicts: [], problem: String(error) };
  }
}

/** Installs with a network, asks without one. */
async function askSealed(program: HarnessProgram): Promise<Verdict[]> {
  // Before anything is fetched: without a namespace nothing can be asked.
  const [unshare = '', ...words] = sealingWords();
  const installed = await installProgram(program);
  process.stderr.write(`asking ${program.title} ${program.version}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'catalog-programs-'));
  const node = [process.execPath, '--conditions=@catalog/source', SEALED];
  try {
    const child = spawn(unshare, [...words, ...node, program.name, JSON.stringify(installed)], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (code !== 0) throw new Error('it could not be asked; the reason stands above');
    return JSON.parse(said);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
