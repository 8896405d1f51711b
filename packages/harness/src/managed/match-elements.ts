export interface ElementClaim {
  key: string;
  hash: string;
}

/** Finds managed elements by hash, in the order of the list. Of equal elements, the first is managed. */
export function matchElements(
  hashes: readonly string[],
  owned: readonly ElementClaim[],
): Map<number, string> {
  const places = new Map<string, number[]>();
  for (const [index, hash] of hashes.entries()) {
    const equal = places.get(hash);
    if (equal === undefined) places.set(hash, [index]);
    else equal.push(index);
  }
  const matched = new Map<number, string>();
  const found = new Set<string>();
  for (const { key, hash } of owned) {
    const index = found.has(key) ? undefined : places.get(hash)?.shift();
    if (index === undefined) continue;
    matched.set(index, key);
    found.add(key);
  }
  return matched;
}
