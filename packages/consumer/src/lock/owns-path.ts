import { openOwnership, type Ownership, type WrittenClaim } from '@catalog/harness/owns-path';
import type { KnownAdapters } from '../adapters/load-adapters.ts';
import { MANUAL_ENTRY_OWNER } from './loaded-owner.ts';
import type { LockedEntry, LockedFile, LockFile } from './types.ts';

/** Returns true if the adapter of a row's target writes the path (SPEC-88). */
export type OwnsRow = (lock: LockFile, row: LockedFile | LockedEntry) => Ownership;

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
  if (target.startsWith(MANUAL_ENTRY_OWNER)) return target.slice(MANUAL_ENTRY_OWNER.length);
  return targets.find(({ id }) => id === target)?.harness ?? '';
}

/** Accepts paths of a target and of a marketplace, which a lock does not distinguish. */
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
  // The entry of catalog's own MCP server belongs to no artifact.
  return {
    path,
    id: target.startsWith(MANUAL_ENTRY_OWNER) ? key : id,
    entry: { shape, container, key },
  };
}
