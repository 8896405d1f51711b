import type { VersionStanding, VersionSummary } from '../ports/versions.ts';
import { resolvePin } from './pin.ts';

/**
 * Returns true if a source with this stored version makes it the latest one again. A deprecated version never becomes
 * the latest (SPEC-70).
 */
export function isRollback(versions: readonly VersionSummary[], version: string): boolean {
  const stored = versions.find((candidate) => candidate.version === version);
  if (stored === undefined || stored.deprecated) return false;
  return resolvePin({ kind: 'latest' }, versions)?.version !== version;
}

/**
 * Decides the states after a rollback: the version becomes the last ingested one, and versions stored after it are
 * rolled back.
 */
export function decideRollback(
  versions: readonly VersionSummary[],
  id: string,
  version: string,
  ingest_order: number,
): VersionStanding[] {
  const target = versions.find((candidate) => candidate.version === version);
  if (target === undefined) return [];
  const later = versions.filter(({ stored_order }) => stored_order > target.stored_order);
  return [
    { id, version, ingest_order, rolled_back: false },
    ...later.map((row) => ({
      id,
      version: row.version,
      ingest_order: row.ingest_order,
      rolled_back: true,
    })),
  ];
}

export function applyStandings(
  versions: readonly VersionSummary[],
  standings: readonly VersionStanding[],
): VersionSummary[] {
  const changed = new Map(standings.map((standing) => [standing.version, standing]));
  return versions
    .map((summary) => {
      const { ingest_order, rolled_back } = changed.get(summary.version) ?? summary;
      return { ...summary, ingest_order, rolled_back };
    })
    .sort((a, b) => a.ingest_order - b.ingest_order);
}
