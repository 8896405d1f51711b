import type { SearchFacets } from '@catalog/contract/records/discovery';
import { targetsHarness } from '@catalog/core/artifact/targets-harness';
import type { FusedHit } from '@catalog/core/ports/vector-index';
import type { HeadRecord } from '@catalog/core/ports/versions';
import type { SearchFilters } from '@catalog/core/search/search-parts';
import { isWithin } from '@catalog/core/text/slash-path';
import type { View } from '../view/view.ts';

export interface FoundArtifact {
  hit: FusedHit;
  head: HeadRecord;
}

type Group = 'type' | 'tag' | 'layer' | 'domain' | 'harness';

const GROUPS: Record<Group, (head: HeadRecord, filters: SearchFilters) => boolean> = {
  type: ({ type }, { types }) => types.length === 0 || types.includes(type),
  tag: (head, { tags }) => tags.every((tag) => head.tags.includes(tag)),
  layer: ({ layer }, { layers }) => layers === undefined || layers.includes(layer),
  domain: ({ id }, { scopes }) =>
    scopes.length === 0 || scopes.some((scope) => isWithin(id, scope)),
  harness: ({ frontmatter }, { harness }) => harness === '' || targetsHarness(frontmatter, harness),
};

export function passesFilters(head: HeadRecord, filters: SearchFilters): boolean {
  return Object.values(GROUPS).every((passes) => passes(head, filters));
}

export function isUnfiltered({ types, tags, scopes, layers, harness }: SearchFilters): boolean {
  return types.length + tags.length + scopes.length === 0 && layers === undefined && harness === '';
}

/**
 * Counts facets. The count of a value is the total with that value as the only choice of its group; a tag is added to
 * the selected tags.
 */
export function countFacets(
  view: View,
  found: readonly FoundArtifact[],
  filters: SearchFilters,
  { isComplete }: { isComplete: boolean },
): SearchFacets {
  const heads = found.map(({ head }) => head);
  const others = (group: Group): HeadRecord[] =>
    heads.filter((head) => passesFilters(head, { ...filters, ...WITHOUT[group] }));
  return {
    results: heads.filter((head) => passesFilters(head, filters)).length,
    ...(isComplete ? {} : { estimated: true }),
    type: countEach(others('type').map(({ type }) => type)),
    tag: countEach(others('tag').flatMap(({ tags }) => [...new Set(tags)])),
    layer: countEach(others('layer').map(({ layer }) => view.byNumber.get(layer)?.id ?? '')),
    domain: countEach(others('domain').flatMap(({ id }) => domainsOf(id, filters.scopes))),
  };
}

/** Filters without the selection of a group. Tags stay, because a tag is added to them. */
const WITHOUT: Record<Group, Partial<SearchFilters>> = {
  type: { types: [] },
  tag: {},
  layer: { layers: undefined },
  domain: { scopes: [] },
  harness: { harness: '' },
};

function domainsOf(id: string, scopes: readonly string[]): string[] {
  const slash = id.indexOf('/');
  const top = slash === -1 ? [] : [id.slice(0, slash)];
  return [...new Set([...top, ...scopes.filter((scope) => isWithin(id, scope))])];
}

function countEach(values: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(values, (value) => value);
  return Object.fromEntries(Array.from(groups, ([value, same]) => [value, same.length]));
}
