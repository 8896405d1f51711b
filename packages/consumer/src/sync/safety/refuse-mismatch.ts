import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { LockedArtifact } from '../../lock/types.ts';
import type { PlanFacts } from './rule.ts';

interface Difference {
  target: string;
  id: string;
  locked: string;
  available: string;
}

/** Rejects a plan unless the registry has exactly the artifacts of the lock (`--locked`). */
export function refuseMismatch({ plan, planned, options }: PlanFacts): CatalogError | undefined {
  if (options.locked !== true) return undefined;
  const differences: Difference[] = [];
  const wanted = byOwner(plan.previous.artifacts);
  const available = byOwner(planned.flatMap(({ artifacts }) => artifacts));
  const running = new Set(planned.map(({ locked }) => locked.id));
  for (const [owner, row] of wanted) {
    const other = available.get(owner);
    if (!running.has(row.target) || other?.content_hash === row.content_hash) continue;
    differences.push({
      target: row.target,
      id: row.id,
      locked: row.version,
      available: other === undefined ? NOT_AVAILABLE : describe(other, row),
    });
  }
  for (const [owner, row] of available) {
    if (wanted.has(owner)) continue;
    differences.push({
      target: row.target,
      id: row.id,
      locked: NOT_LOCKED,
      available: row.version,
    });
  }
  return differences.length > 0 ? mismatch(plan.directory, differences) : undefined;
}

const NOT_LOCKED = 'not locked';
const NOT_AVAILABLE = 'not in the registry';

function byOwner(rows: readonly LockedArtifact[]): Map<string, LockedArtifact> {
  return new Map(rows.map((row) => [`${row.target} ${row.id}`, row]));
}

function describe(available: LockedArtifact, locked: LockedArtifact): string {
  return available.version === locked.version
    ? `${available.version} with different content`
    : available.version;
}

function mismatch(directory: string, differences: readonly Difference[]): CatalogError {
  const lines = differences.map(
    ({ id, locked, available }) =>
      `  ${id}: ${locked === NOT_LOCKED ? locked : `locked ${locked}`}, ${available === NOT_AVAILABLE ? available : `available ${available}`}`,
  );
  return new CatalogError(
    'materialize.lock_mismatch',
    `The registry does not match the lock of ${directory}; nothing was written.\n${lines.join('\n')}`,
    { details: { directory, differences } },
  );
}
