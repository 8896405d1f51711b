import type { MaintenanceRun } from '@catalog/core/ports/objects';

export function lastRunFile(run: MaintenanceRun): string {
  return `catalog-last-${run}.json`;
}

export function formatLastRun(time: string): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ time })}\n`);
}

/** Parses the time of the last run. Returns undefined for content that catalog did not write. */
export function parseLastRun(bytes: Uint8Array): string | undefined {
  try {
    const record: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof record !== 'object' || record === null || !('time' in record)) return undefined;
    const { time } = record;
    return typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : undefined;
  } catch {
    return undefined;
  }
}
