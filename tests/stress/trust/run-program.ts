import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Invocation } from './commands.ts';
import type { Place } from './place.ts';
import { playHost } from './play-host.ts';

const ROOT = join(import.meta.dirname, '../../..');
/**
 * The built programs start in half the time. A tree with a planted bug has no build, and runs the
 * sources.
 */
const DIST = join(ROOT, 'packages/cli/dist');
const IS_BUILT = existsSync(DIST);
const CLI = IS_BUILT ? `${DIST}/bin.js` : `${ROOT}/packages/cli/src/bin.ts`;
const MCP = IS_BUILT ? `${DIST}/mcp.js` : `${ROOT}/packages/mcp/src/bin.ts`;
const RECORDER = join(import.meta.dirname, 'record-processes.ts');
const NODE = ['--conditions=@catalog/source'];

/** Timeouts: for commands that exit, and for servers and watchers, which are stopped. */
const TIMEOUT_MS = 20_000;
const LASTING_MS = 1500;

export interface StartedProcess {
  file: string;
  args: readonly string[];
}

/** Runs an invocation without a terminal, and returns the processes it started and its output. */
export async function runInvocation(
  invocation: Invocation,
  place: Place,
  env: Readonly<Record<string, string>>,
): Promise<{ processes: StartedProcess[]; code: number | null; output: string }> {
  const log = `${place.root}/tmp/processes`;
  rmSync(log, { force: true });
  const words = invocation.kind === 'cli' ? [CLI, ...invocation.words] : [MCP];
  const child = spawn(process.execPath, [...NODE, '--import', RECORDER, ...words], {
    cwd: place.work,
    env: {
      PATH: `${makePrograms(place)}:/usr/bin:/bin`,
      HOME: place.home,
      TMPDIR: `${place.root}/tmp`,
      CATALOG_TEST_PROCESSES: log,
      CATALOG_TOKEN_STORE: 'file',
      // The compile cache outlives the history, because compiling the program takes seconds.
      NODE_COMPILE_CACHE: `${dirname(place.root)}/compiled`,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  child.stdin.on('error', () => undefined);
  if (invocation.kind === 'cli') child.stdin.end();
  else playHost(child, invocation.calls, place);
  const timer = setTimeout(
    () => child.kill('SIGKILL'),
    isLasting(invocation) ? LASTING_MS : TIMEOUT_MS,
  );
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  clearTimeout(timer);
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  return { code, output, processes: lines.map((line): StartedProcess => JSON.parse(line)) };
}

/** True for catalog's own MCP server, which `mcp doctor` starts, and for git. */
export function isAllowedProcess({ file, args }: StartedProcess): boolean {
  const name = file.split('/').at(-1) ?? '';
  return name === 'git' || name === 'catalog-mcp' || args.includes(MCP);
}

function isLasting(invocation: Invocation): boolean {
  if (invocation.kind === 'mcp') return false;
  const { words } = invocation;
  return words[0] === 'serve' || words[0] === 'login' || words.includes('--watch');
}

/** Creates the installed programs in the form in which `mcp config` and `mcp doctor` find them. */
function makePrograms({ root }: Place): string {
  const folder = `${root}/tmp/bin`;
  mkdirSync(folder, { recursive: true });
  for (const [name, file] of [
    ['catalog', CLI],
    ['catalog-mcp', MCP],
  ] as const) {
    const text = `#!/bin/sh\nexec ${process.execPath} ${NODE.join(' ')} ${file} "$@"\n`;
    writeFileSync(`${folder}/${name}`, text, { mode: 0o755 });
  }
  return folder;
}
