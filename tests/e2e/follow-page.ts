import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { installedProgram } from '@catalog/testkit/packed-program';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { onTestFinished } from 'vitest';
import { isOutput, readSteps, replaceOutput, type Step } from './guide-page.ts';
import { until } from './until.ts';
import { acquireDefaultPort } from './default-port.ts';

export interface Surroundings {
  env?: Readonly<Record<string, string>>;
  /** Placeholders on the page for values that differ in every run. */
  shown?: Readonly<Record<string, string>>;
  /** Folders of programs, in addition to those of catalog, Node.js and the system. */
  path?: readonly string[];
}

const REWRITE_AFTER_MS = 5000;

/** A reader installs the program once; here the packed program is already on the PATH. */
const INSTALLATION = /^npm install --global /;

/** Shows paths as the user `you` would see them, without the temporary folder. */
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

export interface Reader {
  cwd: string;
  /** Performs a step of a page; returns the differences between the output and the page. */
  follow(step: Step): Promise<Difference[]>;
  run(command: string): Promise<ShellRun>;
  /** Starts a command in its own terminal; resolves when it has printed the given output. */
  start(command: string, output: string[]): Promise<Terminal>;
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
      // Holds the port for the whole page, because its terminals stay open until the end.
      holding ??= acquireDefaultPort();
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

export interface Difference {
  step: Extract<Step, { kind: 'command' | 'terminal' }>;
  printed: string;
}

/** True for `./dev pages`, which updates the output on the pages instead of failing. */
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

/** Updates pages of the repository; other pages are examples of failures. */
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
  asShown: (output: string) => string;
}

function asShown(output: string, shown: Readonly<Record<string, string>>): string {
  return Object.entries(shown).reduce(
    (text, [given, shows]) => text.replaceAll(given, shows),
    output,
  );
}

/**
 * Waits until the command has printed the output on the page. At the end of the page, the command is
 * stopped and must exit successfully. Registries of pages use the default port.
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

export interface Terminal {
  /** Stops the command and returns its exit code. */
  stop(): Promise<number | null>;
  signal(name: NodeJS.Signals): void;
}

export interface ShellRun {
  status: number;
  output: string;
}

interface ShellOptions extends Place {
  /** Exit code of the previous command, for `echo $?`. */
  status: number;
}

/** Runs a command line with `catalog` on the PATH and without the environment of this process. */
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
