import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hashProgramInputs } from '../../../tools/services/program-inputs.ts';
import { recordEntryPoint } from './entry-points.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CACHE = join(ROOT, '.cache/packed-program');

const KEPT_PROGRAMS = 4;

export interface CatalogOptions {
  cwd: string;
  /** Home folder, never that of the developer. */
  home: string;
  /** Environment variables, in an otherwise empty environment. */
  env?: Readonly<Record<string, string>>;
  /** Content of stdin, which is never a terminal. */
  input?: string;
}

export interface CatalogRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `catalog` as after `npm install`, through its own `bin`. */
export function runCatalog(args: readonly string[], options: CatalogOptions): Promise<CatalogRun> {
  return startCatalog(args, options).ended;
}

export interface RunningCatalog {
  output(): { stdout: string; stderr: string };
  /** Waits for output that matches, past or future. */
  waitFor(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  closeOutput(stream: 'stdout' | 'stderr'): void;
  ended: Promise<CatalogRun>;
}

/** Starts `catalog` in the background; the caller stops it. */
export function startCatalog(args: readonly string[], options: CatalogOptions): RunningCatalog {
  return startProgram(join(installedProgram(), 'bin/catalog'), args, options);
}

export interface McpCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

/** Returns a command line. The caller stops its process. */
export function mcpCommand(
  args: readonly string[],
  options: Omit<CatalogOptions, 'input'>,
): McpCommand {
  recordEntryPoint('packed-program');
  return {
    command: join(installedProgram(), 'bin/catalog-mcp'),
    args: [...args],
    env: programEnvironment(options),
    cwd: options.cwd,
  };
}

export function startProgram(
  program: string,
  args: readonly string[],
  options: CatalogOptions,
): RunningCatalog {
  recordEntryPoint('packed-program');
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: programEnvironment(options),
    stdio: 'pipe',
  });
  child.stdin.end(options.input ?? '');
  return follow(child);
}

/** Installed program, the same for a whole test run even if sources change. */
let installed: string | undefined;

export function installedProgram(): string {
  installed ??= ensureInstalled();
  return installed;
}

/** Packs and installs the program again only if the bytes of its sources have changed. */
function ensureInstalled(): string {
  const prefix = join(CACHE, hashProgramInputs());
  if (existsSync(prefix)) return prefix;
  mkdirSync(CACHE, { recursive: true });
  // Workers are threads and processes; a file lock works for both.
  const mutex = new DatabaseSync(join(CACHE, 'mutex.db'), { timeout: 300_000 });
  try {
    mutex.exec('BEGIN EXCLUSIVE');
    if (!existsSync(prefix)) install(prefix);
  } finally {
    mutex.close();
  }
  return prefix;
}

function install(prefix: string): void {
  removeOldPrograms();
  const staging = mkdtempSync(join(CACHE, 'staging-'));
  execute(process.execPath, ['--conditions=@catalog/source', join(ROOT, 'tools/build.ts')], ROOT);
  execute('npm', ['pack', '--silent', '--pack-destination', staging], join(ROOT, 'packages/cli'));
  const tarball = readdirSync(staging).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack made no tarball');
  const offline = [
    '--offline',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--no-update-notifier',
  ];
  execute(
    'npm',
    ['install', '--global', '--prefix', staging, ...offline, join(staging, tarball)],
    staging,
  );
  copyOptionalPackages(staging);
  renameSync(staging, prefix);
}

/** Copies optional packages, which npm skips without a network. */
function copyOptionalPackages(staging: string): void {
  const modules = join(staging, 'lib/node_modules/@catalog/cli/node_modules/@napi-rs');
  if (!existsSync(modules))
    cpSync(join(ROOT, 'node_modules/@napi-rs'), modules, { recursive: true });
}

/** Removes old programs except a few, which another run may still use. */
function removeOldPrograms(): void {
  const programs = readdirSync(CACHE).filter((name) => /^(?:[0-9a-f]{16}|staging-.*)$/.test(name));
  const byAge = programs.toSorted((a, b) => madeAt(b) - madeAt(a));
  for (const name of byAge.slice(KEPT_PROGRAMS)) {
    rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}

function madeAt(name: string): number {
  return statSync(join(CACHE, name)).mtimeMs;
}

function execute(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
  });
  if (status === 0) return;
  const reason = error?.message ?? `exit ${String(status)}`;
  throw new Error(`${command} ${args.join(' ')}: ${reason}\n${stdout}${stderr}`);
}

/**
 * Returns the environment of the program, without that of the developer. Its `bin` searches the PATH for `node`, so the
 * one of the tests comes first.
 */
function programEnvironment({ home, env }: CatalogOptions): Record<string, string> {
  return {
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    XDG_CACHE_HOME: join(CACHE, 'cache'),
    ...env,
  };
}

function follow(child: ChildProcess): RunningCatalog {
  const output = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  let code: number | null | undefined;

  function notifyListeners(): void {
    for (const listener of listeners) listener();
  }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk;
      notifyListeners();
    });
  }
  const ended = new Promise<CatalogRun>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => {
      code = exit;
      notifyListeners();
      resolve({ code: exit, ...output });
    });
  });

  return {
    output: () => ({ ...output }),
    signal: (name) => void child.kill(name),
    closeOutput: (name) => child[name]?.destroy(),
    ended,
    waitFor: (stream, pattern) =>
      new Promise((resolve, reject) => {
        function checkOutput(): void {
          const match = pattern.exec(output[stream]);
          if (match !== null) {
            listeners.delete(checkOutput);
            resolve(match);
          } else if (code !== undefined) {
            listeners.delete(checkOutput);
            reject(
              new Error(
                `catalog ended (${String(code)}) without ${String(pattern)}: ${output.stdout}${output.stderr}`,
              ),
            );
          }
        }
        listeners.add(checkOutput);
        checkOutput();
      }),
  };
}
