import { openOwnership, type Ownership, type WrittenClaim } from '@catalog/harness/owns-path';
import type { KnownAdapters } from '../adapters/load-adapters.ts';
import { STANDING_OWNER } from './loaded-owner.ts';
import type { LockedEntry, LockedFile, LockFile } from './types.ts';

/** Returns whether the adapter of a row's target writes what the row names (SPEC-88). */
export type OwnsRow = (lock: LockFile, row: LockedFile | LockedEntry) => Ownership;

/** Returns the check for the adapters of a run. */
export function openRowOwnership(adapters: KnownAdapters): OwnsRow {
  const known = new Map<string, (claim: WrittenClaim) => Ownership>();
  return (lock, row) => {
    const harness = harnessOf(lock, row.target);
    let owns = known.get(harness);
    if (owns === undefined) known.set(harness, (owns = openHarness(harness, adapters)));
    return owns(toClaim(row));
  };
}

function harnessOf({ targets }: LockFile, target: string): string {
  if (target.startsWith(STANDING_OWNER)) return target.slice(STANDING_OWNER.length);
  return targets.find(({ id }) => id === target)?.harness ?? '';
}

/** A lock does not tell a marketplace from a target of the same harness, so either may own a path. */
function openHarness(harness: string, adapters: KnownAdapters): (claim: WrittenClaim) => Ownership {
  const checks = [false, true].map((marketplace) =>
    openOwnership({ harness, marketplace }, adapters),
  );
  return (claim) => {
    const found = checks.map((check) => check(claim));
    return (
      found.find((one) => one === 'owned') ?? found.find((one) => one === 'not-owned') ?? 'unknown'
    );
  };
}

function toClaim(row: LockedFile | LockedEntry): WrittenClaim {
  const { path, id, target } = row;
  if (!('shape' in row)) return { path, id };
  const { shape, container, key } = row;
  // The entry of catalog's own MCP server comes from no artifact.
  return {
    path,
    id: target.startsWith(STANDING_OWNER) ? key : id,
    entry: { shape, container, key },
  };
}
