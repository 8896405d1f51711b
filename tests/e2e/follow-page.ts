import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { installedProgram } from '@catalog/testkit/packed-program';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { onTestFinished } from 'vitest';
import { isOutput, readSteps, replaceOutput, type Step } from './guide-page.ts';
import { until } from './until.ts';
import { holdUsualPort } from './usual-port.ts';

/** What the reader of a page has beside an empty home. */
export interface Surroundings {
  /** Variables of the shell. */
  env?: Readonly<Record<string, string>>;
  /** What the page shows in the place of something that is different every time. */
  shown?: Readonly<Record<string, string>>;
}

/** By then a program in a terminal has printed what it prints when it starts. */
const REWRITE_AFTER_MS = 5000;

/** A reader installs the program once; here the packed one is on the path already. */
const INSTALLATION = /^npm install --global /;

/**
 * Does what a page says, in an empty folder of a person called `you`, and compares. Paths are shown
 * as that person would see them: without the temporary folder they really lie in.
 */
export async function followPage(
  markdown: string,
  page: string,
  { env = {}, shown = {} }: Surroundings = {},
): Promise<void> {
  const root = realpathSync(temporaryFolder('catalog-guide-'));
  const home = join(root, 'home/you');
  const cwd = join(home, 'project');
  const place: Place = {
    cwd,
    home,
    env,
    asShown: (text) => asShown(text, { [root]: '', [installedProgram()]: '/usr/local', ...shown }),
  };
  mkdirSync(cwd, { recursive: true });
  let status = 0;
  let holding: Promise<void> | undefined;
  const differences: Difference[] = [];
  for (const step of readSteps(markdown)) {
    if (step.kind === 'file') {
      const [folder, path] = step.path.startsWith('~/')
        ? [home, step.path.slice('~/'.length)]
        : [cwd, step.path];
      writeTree(folder, { [path]: step.text });
    } else if (step.kind === 'terminal') {
      // Once for the whole page, whose terminals stay open to its end.
      holding ??= holdUsualPort();
      await holding;
      differences.push(...(await startInTerminal(step, place)));
    } else if (!INSTALLATION.test(step.command)) {
      const run = await runInShell(step.command, { ...place, status });
      status = run.status;
      const printed = place.asShown(run.output);
      if (!isOutput(step.output, printed)) differences.push({ step, printed });
    }
    if (differences.length > 0 && !isRewriting()) throw toError(page, differences);
  }
  if (differences.length > 0) rewritePage(page, differences);
}

/** A command whose output is not the one the page shows. */
interface Difference {
  step: Extract<Step, { kind: 'command' | 'terminal' }>;
  printed: string;
}

/** `./dev pages` puts the program's output into the pages instead of failing. */
function isRewriting(): boolean {
  return process.env['CATALOG_GOLDEN'] === 'write';
}

function toError(page: string, differences: readonly Difference[]): Error {
  const texts = differences.map(
    ({ step: { line, command, output }, printed }) =>
      `${page}:${line}: $ ${command}\n\nthe page says:\n${output.join('\n')}\n\nit printed:\n${printed.trimEnd()}`,
  );
  return new Error(texts.join('\n\n'));
}

/** Only for pages of the repository: others are examples of failures. */
function rewritePage(page: string, differences: readonly Difference[]): void {
  const path = join(import.meta.dirname, '../..', page);
  if (!existsSync(path)) throw toError(page, differences);
  writeFileSync(path, replaceOutput(readFileSync(path, 'utf8'), differences));
}

interface Place {
  cwd: string;
  home: string;
  env: Readonly<Record<string, string>>;
  /** Output as the page would show it. */
  asShown: (output: string) => string;
}

function asShown(output: string, shown: Readonly<Record<string, string>>): string {
  return Object.entries(shown).reduce(
    (text, [given, shows]) => text.replaceAll(given, shows),
    output,
  );
}

/**
 * Starts a command as in a terminal of its own, and waits until it has printed what the page shows. It
 * is told to stop when the page ends, and has to end well. Registries of pages use the usual port.
 */
async function startInTerminal(
  step: Extract<Step, { kind: 'terminal' }>,
  place: Place,
): Promise<Difference[]> {
  const { command, output, line } = step;
  const shell = spawn('bash', ['-c', `exec 2>&1; exec ${command}`], {
    cwd: place.cwd,
    // As a person at a terminal sees it.
    env: { ...environment(place), CATALOG_LOG_FORMAT: 'text' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const read = readOutput(shell);
  const closed = once(shell, 'close');
  onTestFinished(async () => {
    shell.kill('SIGTERM');
    await closed;
  });
  const printed = (): string => place.asShown(read());
  const isShown = (): boolean => isOutput(output, printed());
  const started = Date.now();
  const isLate = (): boolean => isRewriting() && Date.now() - started > REWRITE_AFTER_MS;
  await until(`what line ${line} shows`, () => isShown() || shell.exitCode !== null || isLate());
  return isShown() ? [] : [{ step, printed: printed() }];
}

interface ShellOptions extends Place {
  /** What the command before ended with, for `echo $?`. */
  status: number;
}

/** Runs a line as a person would type it, with `catalog` on the path and nothing else of the tester's. */
async function runInShell(
  command: string,
  { status, ...place }: ShellOptions,
): Promise<{ status: number; output: string }> {
  const shell = spawn('bash', ['-c', `exec 2>&1; (exit ${status}); ${command}`], {
    cwd: place.cwd,
    env: environment(place),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const read = readOutput(shell);
  const [code] = await once(shell, 'close');
  return { status: Number(code ?? 1), output: read() };
}

function environment({ home, env }: Place): Record<string, string> {
  const path = [join(installedProgram(), 'bin'), dirname(process.execPath), '/usr/bin', '/bin'];
  return { PATH: path.join(delimiter), HOME: home, ...env };
}

function readOutput(shell: ChildProcess): () => string {
  let output = '';
  shell.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return () => output;
}
