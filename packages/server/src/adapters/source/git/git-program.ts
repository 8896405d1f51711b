import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export type GitConfig = readonly [key: string, value: string];

export interface GitCall {
  repository: string;
  config?: readonly GitConfig[];
  environment?: Readonly<Record<string, string>>;
  /** Allowed network protocol; if absent, git has no network access. */
  transport?: 'https' | 'http' | 'ssh' | 'file';
  input?: string;
  most_bytes?: number;
  in_background?: true;
}

export interface GitOutcome {
  status: number;
  stdout: string;
  stderr: string;
  too_large: boolean;
}

/** Runs git without a shell, and without the environment variables and settings of this process. */
export interface GitProgram {
  run(words: readonly string[], call: GitCall, signal: AbortSignal): Promise<GitOutcome>;
  start(words: readonly string[], call: GitCall): ChildProcessWithoutNullStreams;
}

/** Format errors that old tools left in legitimate histories. catalog does not use author and date fields. */
const HARMLESS = [
  'badDate',
  'badEmail',
  'badTimezone',
  'missingEmail',
  'missingNameBeforeEmail',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'missingTaggerEntry',
  'multipleAuthors',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
];

/**
 * Restricts git, because a repository and its host may be hostile: hooks, helpers, monitors and submodules are
 * disabled, only the named transport is allowed, redirects are not followed, and every fetched object is checked.
 */
const CONFIG: readonly GitConfig[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['protocol.version', '2'],
  ['protocol.allow', 'never'],
  ['transfer.fsckObjects', 'true'],
  ['fetch.fsckObjects', 'true'],
  ...HARMLESS.flatMap((problem): GitConfig[] => [
    [`fetch.fsck.${problem}`, 'ignore'],
    [`fsck.${problem}`, 'ignore'],
  ]),
  ['fetch.recurseSubmodules', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.unpackLimit', '1'],
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '30'],
  ['http.proxy', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // Limits the memory of git: it streams large files and maps packs in small windows.
  ['core.bigFileThreshold', '16m'],
  ['core.packedGitWindowSize', '32m'],
  ['core.packedGitLimit', '256m'],
  ['pack.threads', '1'],
];

/** Address space limit of git, if the system supports one: crafted deltas can require a lot of memory. */
const MAX_MEMORY_BYTES = 4 * 2 ** 30;
/** Niceness of background runs: they get about a tenth of the CPU time of a normal process. */
const BACKGROUND_NICENESS = '10';
const SIZE_CHECK_MS = 100;
/** Maximum wait until a killed process group has ended. */
const MAX_GROUP_END_MS = 1000;
const GROUP_CHECK_MS = 5;
/** Maximum output of git: a hostile server may cause a lot of it. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

export function findGit(search_path: string): GitProgram | undefined {
  const git = findProgram(search_path, 'git');
  return git === undefined ? undefined : programOf(git, search_path);
}

function programOf(git: string, search_path: string): GitProgram {
  const limiter = findProgram(search_path, 'prlimit');
  const limited =
    limiter === undefined ? [git] : [limiter, `--as=${MAX_MEMORY_BYTES}`, '--core=0', '--', git];
  const nice = findProgram(search_path, 'nice');
  const nicely = nice === undefined ? limited : [nice, '-n', BACKGROUND_NICENESS, ...limited];

  function start(words: readonly string[], call: GitCall): ChildProcessWithoutNullStreams {
    const [program = git, ...rest] = call.in_background === true ? nicely : limited;
    return spawn(program, [...rest, ...words], {
      cwd: call.repository,
      env: environmentOf(call, search_path),
      stdio: 'pipe',
      // Separate process group, so that child processes end with git.
      detached: true,
    });
  }

  return { start, run: (words, call, signal) => runToEnd(start(words, call), call, signal) };
}

export function endGroup(child: { pid?: number | undefined }): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/**
 * Waits until no process of the group can write files. A zombie process still counts as running, so the wait has a
 * timeout.
 */
async function groupEnded({ pid }: { pid?: number | undefined }): Promise<void> {
  if (pid === undefined) return;
  for (let waited = 0; waited < MAX_GROUP_END_MS; waited += GROUP_CHECK_MS) {
    if (!isGroupRunning(pid)) return;
    await setTimeout(GROUP_CHECK_MS);
  }
}

function isGroupRunning(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

function runToEnd(
  child: ChildProcessWithoutNullStreams,
  { input = '', most_bytes, repository }: GitCall,
  signal: AbortSignal,
): Promise<GitOutcome> {
  return new Promise((resolve, reject) => {
    const stdout = keepFirst(child.stdout);
    const stderr = keepFirst(child.stderr);
    let too_large = false;
    const timer = setInterval(() => {
      if (most_bytes === undefined || packedBytes(repository) <= most_bytes) return;
      too_large = true;
      endGroup(child);
    }, SIZE_CHECK_MS);
    function abort(): void {
      endGroup(child);
    }
    function done(): void {
      clearInterval(timer);
      signal.removeEventListener('abort', abort);
    }
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    child.on('error', (cause) => {
      done();
      reject(cause);
    });
    async function end(status: number | null): Promise<void> {
      done();
      if (signal.aborted || too_large) await groupEnded(child);
      if (signal.aborted) reject(asError(signal.reason));
      else resolve({ status: status ?? -1, stdout: stdout(), stderr: stderr(), too_large });
    }
    child.on('close', (status) => void end(status));
    child.stdin.on('error', () => {}); // git may exit without reading all input
    child.stdin.end(input);
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

function keepFirst(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    if (length < MAX_OUTPUT_BYTES) chunks.push(chunk);
    length += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

/** Returns the total size of all packs, including unfinished ones. */
export function packedBytes(repository: string): number {
  let bytes = 0;
  for (const name of listPacks(repository)) {
    const file = join(repository, 'objects/pack', name);
    bytes += statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

export function listPacks(repository: string): string[] {
  try {
    return readdirSync(join(repository, 'objects/pack'));
  } catch {
    return [];
  }
}

function environmentOf(
  { repository, config = [], environment = {}, transport }: GitCall,
  search_path: string,
): Record<string, string> {
  const lines: GitConfig[] = [...CONFIG, ...config];
  if (transport !== undefined) lines.push([`protocol.${transport}.allow`, 'always']);
  const variables: Record<string, string> = {
    PATH: search_path,
    HOME: repository,
    LC_ALL: 'C',
    GIT_DIR: repository,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: transport ?? 'none',
    GIT_SSH_VARIANT: 'ssh',
    ...environment,
    // Settings are passed in environment variables: other users of the host could read a command line.
    GIT_CONFIG_COUNT: String(lines.length),
  };
  for (const [index, [key, value]] of lines.entries()) {
    variables[`GIT_CONFIG_KEY_${index}`] = key;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return variables;
}

function findProgram(search_path: string, name: string): string | undefined {
  return search_path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
