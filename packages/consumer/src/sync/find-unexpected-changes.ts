import { devBuild, ledgerVersion } from '@catalog/core/ingest/ledger-key';
import { isDerivedVersion } from '@catalog/core/version/derived-version';
import { compareVersions, parseVersion } from '@catalog/core/version/version';
import { baseUrl } from '@catalog/sdk/connection';
import type { LockedArtifact, LockFile } from '../lock/types.ts';

/** Status of a locked version; `unknown` if the request failed. */
export type LockedStatus =
  | 'listed'
  | 'deprecated'
  | 'rolled_back'
  | 'withdrawn'
  | 'absent'
  | 'unknown';

/** A change that an HTTP registry never makes (SPEC-84): other content of a locked version, or a lower version. */
export interface UnexpectedChange {
  kind: 'rewritten' | 'downgrade';
  id: string;
  layer: string;
  locked: string;
  locked_hash: string;
  available: string;
  available_hash: string;
  locked_status?: LockedStatus;
}

export interface Offer {
  target: string;
  registry: string;
  artifacts: readonly Omit<LockedArtifact, 'target'>[];
}

/**
 * Compares artifacts with the lock, for the same registry and layer. Rows of other targets count too, so that a new
 * harness does not avoid the check.
 */
export function findUnexpectedChanges(
  { target, registry, artifacts }: Offer,
  lock: Pick<LockFile, 'targets' | 'artifacts'>,
): UnexpectedChange[] {
  const name = comparableUrl(registry);
  const targets = new Set(
    lock.targets.filter((row) => comparableUrl(row.registry) === name).map(({ id }) => id),
  );
  const locked = Map.groupBy(
    lock.artifacts.filter((row) => targets.has(row.target)),
    ({ id }) => id,
  );
  return artifacts.flatMap((offered) => {
    const rows = (locked.get(offered.id) ?? []).filter(({ layer }) => layer === offered.layer);
    const own = rows.find((row) => row.target === target);
    return compareWithRows(offered, own, rows);
  });
}

function compareWithRows(
  offered: Offer['artifacts'][number],
  own: LockedArtifact | undefined,
  rows: readonly LockedArtifact[],
): UnexpectedChange[] {
  if (isUnordered(offered) || (own !== undefined && isUnordered(own))) return [];
  const ordered = rows.filter((row) => !isUnordered(row));
  const rewritten = findRewritten(offered, own, ordered);
  if (rewritten !== undefined) return [toChange('rewritten', offered, rewritten)];
  const higher = (own === undefined ? ordered : [own]).filter((row) => isLower(offered, row));
  return higher.map((row) => toChange('downgrade', offered, row));
}

type Versioned = Pick<LockedArtifact, 'version' | 'content_hash'>;

/** Returns true for versions without an order: derived ones and development builds (SPEC-49, SPEC-51). */
function isUnordered({ version }: Versioned): boolean {
  return isDerivedVersion(version) || devBuild(version) > 0;
}

function findRewritten(
  offered: Versioned,
  own: LockedArtifact | undefined,
  rows: readonly LockedArtifact[],
): LockedArtifact | undefined {
  const candidates = own !== undefined && isSameVersion(offered, own) ? [own] : rows;
  const same = candidates.filter((row) => isSameVersion(offered, row));
  const isKnown = same.some(({ content_hash }) => content_hash === offered.content_hash);
  return isKnown ? undefined : same[0];
}

/** Compares versions without build metadata (SPEC-51). */
function isSameVersion(a: Versioned, b: Versioned): boolean {
  return ledgerVersion(a.version) === ledgerVersion(b.version);
}

function isLower(offered: Versioned, row: Versioned): boolean {
  const [a, b] = [parseVersion(offered.version), parseVersion(row.version)];
  return a !== undefined && b !== undefined && compareVersions(a, b) < 0;
}

function toChange(
  kind: UnexpectedChange['kind'],
  { id, layer, version, content_hash }: Offer['artifacts'][number],
  row: LockedArtifact,
): UnexpectedChange {
  return {
    kind,
    id,
    layer,
    locked: row.version,
    locked_hash: row.content_hash,
    available: version,
    available_hash: content_hash,
  };
}

/** Normalizes a URL, because rows of an agent contain it as configured. */
function comparableUrl(registry: string): string {
  const url = URL.parse(registry);
  return url === null ? registry : baseUrl(url);
}
