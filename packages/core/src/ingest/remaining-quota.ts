import type { Artifact } from '../artifact/types.ts';
import type { Problem } from './problem.ts';

/** Limit with the remaining part, which is negative if the limit was lowered. */
export interface RemainingLimit {
  limit: number;
  left: number;
}

/** Remaining quota of a tenant; undefined values are unlimited. */
export interface RemainingQuota {
  storage: RemainingLimit | undefined;
  artifacts: RemainingLimit | undefined;
}

/** Required quota: for a stored version, for an artifact that was not served before, or both. */
export interface QuotaRequest {
  stores: boolean;
  serves: boolean;
}

/** Reserves quota. Returns a problem if the artifact does not fit; a smaller one still can. */
export type ReserveQuota = (artifact: Artifact, wanted: QuotaRequest) => Problem | undefined;

export function createQuotaReserver({ storage, artifacts }: RemainingQuota): ReserveQuota {
  let bytes = storage?.left ?? Infinity;
  let places = artifacts?.left ?? Infinity;
  return (artifact, { stores, serves }) => {
    const wanted = stores && storage !== undefined ? sizeOf(artifact) : 0;
    if (storage !== undefined && stores && wanted > bytes) return storageExceeded(storage, wanted);
    if (artifacts !== undefined && serves && places < 1) return artifactCountExceeded(artifacts);
    bytes -= wanted;
    places -= Number(serves);
    return undefined;
  };
}

function sizeOf({ manifest, skill, resources }: Artifact): number {
  const files = resources.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return files + utf8Length(manifest?.text) + utf8Length(skill?.text);
}

function utf8Length(text = ''): number {
  return new TextEncoder().encode(text).length;
}

function storageExceeded({ limit }: RemainingLimit, wanted: number): Problem {
  return {
    code: 'quota.storage_exceeded',
    message: `It has ${wanted} bytes, which exceeds the tenant's storage limit of ${limit} bytes.`,
    fix: 'Remove artifacts that are no longer needed, or ask the operator for more storage.',
    place: 'file',
  };
}

function artifactCountExceeded({ limit }: RemainingLimit): Problem {
  return {
    code: 'quota.artifact_count_exceeded',
    message: `The tenant's limit of ${limit} artifacts is reached.`,
    fix: 'Withdraw artifacts that are no longer needed, or ask the operator for a larger quota.',
    place: 'file',
  };
}
