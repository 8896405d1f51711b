/**
 * Loaded before the program with `--import`. Counts the calls that change files under one folder and
 * ends the process with SIGKILL at one of them: before it, half-way through it, or after it.
 */
import { interceptFileOperations, original, writeHalf } from './file-operations.ts';

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
  /** The link or rename that puts the lock in place. */
  lock_operation: number;
}

const plan: KillPlan = JSON.parse(process.env['KILL_PLAN'] ?? '{}');
const counts: OperationCounts = { operations: 0, lock_operation: 0 };

interceptFileOperations(
  () => plan.under,
  (operation, perform) => {
    counts.operations += 1;
    const isMove = operation.name === 'linkSync' || operation.name === 'renameSync';
    if (isMove && String(operation.values[1]).endsWith('/sync.lock')) {
      counts.lock_operation = counts.operations;
    }
    const due = counts.operations === plan.at;
    if (due && plan.how === 'before') die();
    if (due && plan.how === 'half-way' && writeHalf(operation)) die();
    const result = perform();
    if (due) die();
    return result;
  },
);
process.on('exit', () => {
  if (plan.counts) original.writeFileSync(plan.counts, JSON.stringify(counts));
});

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable: the process is gone');
}
