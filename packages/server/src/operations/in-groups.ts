export interface GroupLimits {
  items: number;
  /** Maximum size of a group; a larger item has its own group. */
  bytes: number;
}

export function* inGroups<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  limits: GroupLimits,
): Generator<Item[]> {
  let group: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (group.length === limits.items || (group.length > 0 && bytes + size > limits.bytes)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(item);
    bytes += size;
  }
  if (group.length > 0) yield group;
}
