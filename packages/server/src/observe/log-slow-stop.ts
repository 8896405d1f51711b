import type { PendingWork } from '../background.ts';
import type { Log } from './log.ts';

export interface StopWork extends PendingWork {
  requests: Readonly<Record<string, number>>;
}

const INTERVAL_MS = 2000;

export function logSlowStop(log: Pick<Log, 'info'>, listWork: () => StopWork): () => void {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += INTERVAL_MS / 1000;
    const work = Object.entries(listWork()).filter(([, some]) => Object.keys(some).length > 0);
    log.info({ seconds, ...Object.fromEntries(work) }, 'still stopping: waiting for work to end');
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}
