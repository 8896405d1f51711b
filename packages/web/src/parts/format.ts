const integer = new Intl.NumberFormat('en');

export function formatCount(count: number): string {
  return integer.format(count);
}

/** Formats a count as `1,204`, or `1,204+` for a lower bound. */
export function formatAtLeast(count: number, isEstimated: boolean): string {
  return `${formatCount(count)}${isEstimated ? '+' : ''}`;
}

export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Shortens a hash to `sha256:5b1e8a…77c0`, which can still be compared by eye. */
export function shortHash(hash: string): string {
  const [algorithm = '', hex = ''] = hash.split(':');
  return hex.length > 16 ? `${algorithm}:${hex.slice(0, 8)}…${hex.slice(-4)}` : hash;
}

export function shortReference(reference: string): string {
  return /^[0-9a-f]{40,64}$/.test(reference) ? reference.slice(0, 8) : reference;
}
