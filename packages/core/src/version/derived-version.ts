const HASH_PREFIX = 'sha256:';
const DERIVED = /^0\.0\.0-h[0-9a-f]{12}$/;

/** Derives the version of a bare skill without a version from its authored hash (SPEC-49). */
export function derivedVersion(authored_hash: string): string {
  const start = HASH_PREFIX.length;
  return `0.0.0-h${authored_hash.slice(start, start + 12)}`;
}

/** Returns true if a version was derived from content, so that its order has no meaning. */
export function isDerivedVersion(version: string): boolean {
  return DERIVED.test(version);
}
