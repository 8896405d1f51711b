import { setTimeout as delay } from 'node:timers/promises';
import type { OpenIngest, RunningRegistry } from '@catalog/server/start';
import type { Session } from '../../command/session.ts';

const LOOK_EVERY_MS = 200;

/** Says how far the first ingests are, to somebody who watches; returns when they have ended. */
export async function showProgress(running: RunningRegistry, session: Session): Promise<void> {
  const { signal, progress, openLogOutput } = session;
  if (!openLogOutput().terminal) return;
  do {
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    const ingests = signal.aborted ? [] : await running.listIngests();
    if (ingests.length === 0) return;
    progress(describe(ingests));
  } while (!signal.aborted);
}

function describe(ingests: readonly OpenIngest[]): string {
  const running = ingests.filter((ingest) => ingest.running).map(describeOne);
  const waiting = ingests.length - running.length;
  const parts = waiting === 0 ? running : [...running, `${waiting} waiting`];
  return `ingesting ${parts.join(', ')}`;
}

function describeOne({ layer, phase, done, total }: OpenIngest): string {
  const share = total === 0 ? '' : done === 0 ? ` ${total}` : ` ${done} of ${total}`;
  return `${layer} (${phase}${share})`;
}
