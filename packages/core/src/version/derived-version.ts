const HASH_PREFIX = 'sha256:';
const DERIVED = /^0\.0\.0-h[0-9a-f]{12}$/;

/** Derives the version of a skill without one from its hash (SPEC-49). */
export function derivedVersion(authored_hash: string): string {
  const start = HASH_PREFIX.length;
  return `0.0.0-h${authored_hash.slice(start, start + 12)}`;
}

/** Returns true for a derived version, whose order has no meaning. */
export function isDerivedVersion(version: string): boolean {
  return DERIVED.test(version);
}
