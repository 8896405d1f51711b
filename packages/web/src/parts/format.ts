const integer = new Intl.NumberFormat('en');

/** `1,204`. */
export function formatCount(count: number): string {
  return integer.format(count);
}

/** `1,204`; `1,204+` if there may be more. */
export function formatAtLeast(count: number, isEstimated: boolean): string {
  return `${formatCount(count)}${isEstimated ? '+' : ''}`;
}

/** `1 artifact`, `1,204 artifacts`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** `sha256:5b1e8a…77c0`, long enough to compare by eye. */
export function shortHash(hash: string): string {
  const [algorithm = '', hex = ''] = hash.split(':');
  return hex.length > 16 ? `${algorithm}:${hex.slice(0, 8)}…${hex.slice(-4)}` : hash;
}

/** First characters of a commit id; other references stay as they are. */
export function shortReference(reference: string): string {
  return /^[0-9a-f]{40,64}$/.test(reference) ? reference.slice(0, 8) : reference;
}
