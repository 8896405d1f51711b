import type { MaintenanceRun, Objects } from '@catalog/core/ports/objects';

const KEPT_MS = 60_000;
const TIMEOUT_MS = 2000;

export function readLastRuns(
  objects: Pick<Objects, 'getLastRun'>,
  monotonicMs: () => number,
): (run: MaintenanceRun) => Promise<string | undefined> {
  const kept = new Map<MaintenanceRun, { read_at: number; time: Promise<string | undefined> }>();
  return (run) => {
    const known = kept.get(run);
    if (known !== undefined && monotonicMs() - known.read_at < KEPT_MS) return known.time;
    const time = objects.getLastRun(run, AbortSignal.timeout(TIMEOUT_MS));
    kept.set(run, { read_at: monotonicMs(), time });
    return time;
  };
}
