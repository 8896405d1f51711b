export interface ElementClaim {
  key: string;
  hash: string;
}

/** The hashes are in list order. Of several equal elements, catalog owns the first. */
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
