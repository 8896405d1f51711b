/** An element of a list that catalog owns by its lock, or wants to own, known by what it holds. */
export interface ElementClaim {
  key: string;
  hash: string;
}

/**
 * Whose each element of a list is, by the hashes of the elements in their order: of equal ones the
 * first is ours and the next somebody's own. `owned` goes before `wanted`, so that an element of the
 * person's that happens to hold what is wanted is taken over only where ours is gone.
 */
export function matchElements(
  hashes: readonly string[],
  owned: readonly ElementClaim[],
  wanted: readonly ElementClaim[],
): Map<number, string> {
  const places = new Map<string, number[]>();
  for (const [index, hash] of hashes.entries()) {
    const equal = places.get(hash);
    if (equal === undefined) places.set(hash, [index]);
    else equal.push(index);
  }
  const matched = new Map<number, string>();
  const found = new Set<string>();
  for (const { key, hash } of [...owned, ...wanted]) {
    const index = found.has(key) ? undefined : places.get(hash)?.shift();
    if (index === undefined) continue;
    matched.set(index, key);
    found.add(key);
  }
  return matched;
}
