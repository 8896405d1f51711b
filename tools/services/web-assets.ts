import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { DIST, hashInputs, INPUTS_FILE } from '../../packages/web/build/web-inputs.ts';

const ROOT = join(import.meta.dirname, '../..');
const LOCK_TIMEOUT_MS = 300_000;

let ensured: Promise<void> | undefined;

export function ensureWebAssets(): Promise<void> {
  ensured ??= ensure();
  return ensured;
}

async function ensure(): Promise<void> {
  if (isCurrent()) return;
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  // Builds may run in threads of one process or in several processes; a file lock covers both.
  const mutex = new DatabaseSync(join(ROOT, '.cache/web-build.lock'), { timeout: LOCK_TIMEOUT_MS });
  try {
    mutex.exec('BEGIN EXCLUSIVE');
    if (!isCurrent()) await build();
  } finally {
    mutex.close();
  }
}

function isCurrent(): boolean {
  const stamp = join(DIST, INPUTS_FILE);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashInputs();
}

async function build(): Promise<void> {
  process.stderr.write('building the web UI\n');
  const script = join(ROOT, 'packages/web/build/build-web.ts');
  const child = spawn(process.execPath, ['--conditions=@catalog/source', script], {
    cwd: ROOT,
    // A test run sets NODE_ENV to `test`, which would bundle the development build of React.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code !== 0) throw new Error(`The build of the web UI failed:\n${stdout}${stderr}`);
}
