/**
 * Preloaded into the program with `--import`. Counts the calls that change files in one folder, and
 * kills the process with SIGKILL at one of them: before it, halfway through it, or after it.
 */
import { interceptFileOperations, original, writeHalf } from './file-operations.ts';

/** Configuration of the preload, as JSON in `KILL_PLAN`. */
export interface KillPlan {
  under: string;
  /** 1-based; undefined to only count. */
  at?: number;
  how?: 'before' | 'half-way' | 'after';
  /** File for the counts of a process that exits normally. */
  counts?: string;
}

export interface OperationCounts {
  operations: number;
  /** Number of the link or rename that creates the lock. */
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
