/**
 * Returns the candidate that a user most likely meant; undefined if none is similar. At most a third of the letters may
 * differ, and at most `maxDistance`.
 */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  maxDistance = Number.POSITIVE_INFINITY,
): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.min(Math.max(1, Math.floor(word.length / 3)), maxDistance) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Counts insertions, deletions, replacements and swaps of neighbors, up to `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    // Later rows cannot have a smaller minimum.
    if (least >= limit) return limit;
    beforeLast = last;
    last = row;
  }
  return Math.min(at(last, b.length), limit);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
