/**
 * Loaded before the program with `--import`. Counts the calls that change files under one folder and
 * ends the process with SIGKILL at one of them: before it, half-way through it, or after it.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** How the preload is told what to do, as JSON in `KILL_PLAN`. */
export interface KillPlan {
  /** Calls outside this folder do not count. */
  under: string;
  /** 1-based; absent to count only. */
  at?: number;
  how?: 'before' | 'half-way' | 'after';
  /** Where a process that reaches its end leaves its counts. */
  counts?: string;
}

export interface OperationCounts {
  operations: number;
  /** The rename that puts the lock in place. */
  lock_operation: number;
}

const BY_PATH = [
  'appendFileSync',
  'chmodSync',
  'copyFileSync',
  'linkSync',
  'mkdirSync',
  'mkdtempSync',
  'openSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'symlinkSync',
  'truncateSync',
  'unlinkSync',
  'utimesSync',
  'writeFileSync',
] as const;
const BY_DESCRIPTOR = [
  'fchmodSync',
  'fsyncSync',
  'ftruncateSync',
  'futimesSync',
  'writeSync',
] as const;

const plan: KillPlan = JSON.parse(process.env['KILL_PLAN'] ?? '{}');
const counts: OperationCounts = { operations: 0, lock_operation: 0 };
const opened = new Set<unknown>();
const writeWhole = fs.writeFileSync;
const writePart = fs.writeSync;

for (const name of BY_PATH) wrap(name, (values) => concerns(name, values));
for (const name of BY_DESCRIPTOR) wrap(name, ([descriptor]) => opened.has(descriptor));
syncBuiltinESMExports();
process.on('exit', () => {
  if (plan.counts) writeWhole(plan.counts, JSON.stringify(counts));
});

function concerns(name: string, values: readonly unknown[]): boolean {
  if (name === 'openSync' && (values[1] ?? 'r') === 'r') return false;
  return values
    .slice(0, 2)
    .some((value) => typeof value === 'string' && value.startsWith(plan.under));
}

function wrap(name: string, counted: (values: unknown[]) => boolean): void {
  const original: unknown = Reflect.get(fs, name);
  if (typeof original !== 'function') throw new TypeError(`node:fs has no ${name}`);
  Reflect.set(fs, name, (...values: unknown[]): unknown => {
    if (!counted(values)) return Reflect.apply(original, fs, values);
    counts.operations += 1;
    if (name === 'renameSync' && String(values[1]).endsWith('/sync.lock')) {
      counts.lock_operation = counts.operations;
    }
    const due = counts.operations === plan.at;
    if (due && plan.how === 'before') die();
    if (due && plan.how === 'half-way') writeHalf(name, values);
    const result: unknown = Reflect.apply(original, fs, values);
    if (name === 'openSync') opened.add(result);
    if (due) die();
    return result;
  });
}

/** What a process that dies inside a write leaves: some of the bytes. */
function writeHalf(name: string, [target, content]: unknown[]): void {
  if (!(content instanceof Uint8Array) && typeof content !== 'string') return;
  const bytes = Buffer.from(content);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  if (name === 'writeFileSync' && typeof target === 'string') writeWhole(target, half);
  else if (name === 'writeSync' && typeof target === 'number') writePart(target, half);
  else return;
  die();
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable: the process is gone');
}
