/**
 * Returns true if a header matches an ETag. Supports `*`, lists, and weak tags, which count as equal to strong ones.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
