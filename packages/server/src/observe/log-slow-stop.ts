import type { PendingWork } from '../background.ts';
import type { Log } from './log.ts';

export interface StopWork extends PendingWork {
  /** Number of requests in progress by endpoint. */
  requests: Readonly<Record<string, number>>;
}

/** A stop that takes longer logs what it waits for, this often. */
const INTERVAL_MS = 2000;

/** Logs what a slow stop waits for until the returned function is called. */
export function logSlowStop(log: Pick<Log, 'info'>, listWork: () => StopWork): () => void {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += INTERVAL_MS / 1000;
    const work = Object.entries(listWork()).filter(([, some]) => Object.keys(some).length > 0);
    log.info({ seconds, ...Object.fromEntries(work) }, 'still stopping: waiting for work to end');
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}
