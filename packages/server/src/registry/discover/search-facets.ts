import type { SearchFacets } from '@catalog/contract/records/discovery';
import type { HeadRecord } from '@catalog/core/ports/versions';
import type { View } from '../view/view.ts';

/** Counts the types, tags and layers of the heads that a search found. */
export function countFacets(view: View, heads: readonly HeadRecord[]): SearchFacets {
  return {
    results: heads.length,
    type: countEach(heads.map(({ type }) => type)),
    tag: countEach(heads.flatMap(({ tags }) => [...new Set(tags)])),
    layer: countEach(heads.map(({ layer }) => view.byNumber.get(layer)?.id ?? '')),
  };
}

function countEach(values: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(values, (value) => value);
  return Object.fromEntries(Array.from(groups, ([value, same]) => [value, same.length]));
}
