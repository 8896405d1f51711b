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
  /** Folders of programs, in addition to those of catalog, Node.js and the system. */
  path?: readonly string[];
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
  surroundings: Surroundings = {},
): Promise<void> {
  const reader = openReader(surroundings);
  const differences: Difference[] = [];
  for (const step of readSteps(markdown)) {
    differences.push(...(await reader.follow(step)));
    if (differences.length > 0 && !isRewriting()) throw toError(page, differences);
  }
  if (differences.length > 0) rewritePage(page, differences);
}

/** A person called `you` in an empty folder, with the packed program. */
export interface Reader {
  /** The folder that commands run in. */
  cwd: string;
  /** Does a step of a page; returns where the output differs from the page. */
  follow(step: Step): Promise<Difference[]>;
  /** Runs a command line in a shell. */
  run(command: string): Promise<ShellRun>;
  /** Starts a command in a terminal of its own; returns when it has printed this. */
  start(command: string, output: string[]): Promise<Terminal>;
  /** Presses Ctrl+C in each terminal of the page. */
  stopTerminals(): Promise<void>;
}

export function openReader({ env = {}, shown = {}, path = [] }: Surroundings = {}): Reader {
  const root = realpathSync(temporaryFolder('catalog-guide-'));
  const home = join(root, 'home/you');
  const cwd = join(home, 'project');
  const place: Place = {
    cwd,
    home,
    env,
    path,
    asShown: (text) => asShown(text, { [root]: '', [installedProgram()]: '/usr/local', ...shown }),
  };
  mkdirSync(cwd, { recursive: true });
  let status = 0;
  let holding: Promise<void> | undefined;
  const terminals: Terminal[] = [];

  async function run(command: string): Promise<ShellRun> {
    const done = await runInShell(command, { ...place, status });
    status = done.status;
    return done;
  }

  async function follow(step: Step): Promise<Difference[]> {
    if (step.kind === 'file') {
      const [folder, file] = step.path.startsWith('~/')
        ? [home, step.path.slice('~/'.length)]
        : [cwd, step.path];
      writeTree(folder, { [file]: step.text });
      return [];
    }
    if (step.kind === 'terminal') {
      // Once for the whole page, whose terminals stay open to its end.
      holding ??= holdUsualPort();
      await holding;
      const { terminal, printed } = await startInTerminal(step, place);
      terminals.push(terminal);
      return isOutput(step.output, printed) ? [] : [{ step, printed }];
    }
    if (INSTALLATION.test(step.command)) return [];
    const printed = place.asShown((await run(step.command)).output);
    return isOutput(step.output, printed) ? [] : [{ step, printed }];
  }

  return {
    cwd,
    follow,
    run,
    async start(command, output) {
      const { terminal, printed } = await startInTerminal({ command, output, line: 0 }, place);
      if (isOutput(output, printed)) return terminal;
      throw new Error(`$ ${command}\n${printed}`);
    },
    async stopTerminals() {
      for (const terminal of terminals.splice(0)) await terminal.stop();
    },
  };
}

/** A command whose output is not the one the page shows. */
export interface Difference {
  step: Extract<Step, { kind: 'command' | 'terminal' }>;
  printed: string;
}

/** `./dev pages` puts the program's output into the pages instead of failing. */
function isRewriting(): boolean {
  return process.env['CATALOG_GOLDEN'] === 'write';
}

export function toError(page: string, differences: readonly Difference[]): Error {
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
  path: readonly string[];
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
  {
    command,
    output,
    line,
  }: Pick<Extract<Step, { kind: 'terminal' }>, 'command' | 'output' | 'line'>,
  place: Place,
): Promise<{ terminal: Terminal; printed: string }> {
  const shell = spawn('bash', ['-c', `exec 2>&1; exec ${command}`], {
    cwd: place.cwd,
    // As a person at a terminal sees it.
    env: { ...environment(place), CATALOG_LOG_FORMAT: 'text' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const read = readOutput(shell);
  const closed = once(shell, 'close');
  async function stop(): Promise<number | null> {
    shell.kill('SIGTERM');
    await closed;
    return shell.exitCode;
  }
  onTestFinished(async () => void (await stop()));
  const printed = (): string => place.asShown(read());
  const isShown = (): boolean => isOutput(output, printed());
  const started = Date.now();
  const isLate = (): boolean => isRewriting() && Date.now() - started > REWRITE_AFTER_MS;
  await until(`what line ${line} shows`, () => isShown() || shell.exitCode !== null || isLate());
  const signal = (name: NodeJS.Signals): void => void shell.kill(name);
  return { terminal: { stop, signal }, printed: printed() };
}

/** A command that runs until it is stopped. */
export interface Terminal {
  /** Returns its exit code. */
  stop(): Promise<number | null>;
  signal(name: NodeJS.Signals): void;
}

export interface ShellRun {
  status: number;
  output: string;
}

interface ShellOptions extends Place {
  /** What the command before ended with, for `echo $?`. */
  status: number;
}

/** Runs a line as a person would type it, with `catalog` on the path and nothing else of the tester's. */
async function runInShell(command: string, { status, ...place }: ShellOptions): Promise<ShellRun> {
  const shell = spawn('bash', ['-c', `exec 2>&1; (exit ${status}); ${command}`], {
    cwd: place.cwd,
    env: environment(place),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const read = readOutput(shell);
  const [code] = await once(shell, 'close');
  return { status: Number(code ?? 1), output: read() };
}

function environment({ home, env, path }: Place): Record<string, string> {
  const program = join(installedProgram(), 'bin');
  const folders = [program, dirname(process.execPath), ...path, '/usr/bin', '/bin'];
  return { PATH: folders.join(delimiter), HOME: home, ...env };
}

function readOutput(shell: ChildProcess): () => string {
  let output = '';
  shell.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return () => output;
}
