import type { Domain, DomainDiscovery } from './read-domain.ts';

/** Discovery settings of a domain; absent ones fall back to the registry. */
export type DiscoverySettings = Pick<
  DomainDiscovery,
  | 'max_depth'
  | 'notable_count'
  | 'target_response_tokens'
  | 'fold_below_artifacts'
  | 'fold_passthrough_chains'
>;

export interface MergedDomain {
  path: string;
  /** Description; empty if no layer has one. */
  description: string;
  body: string;
  unlisted: boolean;
  include: string[];
  exclude: string[];
  /** Featured ids in the order of the authors. */
  featured: string[];
  deprioritize: string[];
  keywords: string[];
  settings: DiscoverySettings;
}

/** Merges the `DOMAIN.md` files of one path, lowest precedence first. The grouping does not affect the result. */
export function mergeDomains(path: string, domains: readonly Domain[]): MergedDomain {
  const all = domains.map(({ fields }) => fields);
  const discoveries = all.map(({ discovery }) => discovery ?? {});
  return {
    path,
    description: lastText(all.map(({ description }) => description)),
    body: lastText(domains.map(({ body }) => body)),
    unlisted: all.some(({ unlisted }) => unlisted === true),
    include: unique(all.map(({ include }) => include)),
    exclude: unique(all.map(({ exclude }) => exclude)),
    featured: unique(discoveries.map(({ featured }) => featured)),
    deprioritize: unique(discoveries.map(({ deprioritize }) => deprioritize)),
    keywords: unique(discoveries.map(({ keywords }) => keywords)),
    settings: mergeSettings(discoveries),
  };
}

/** Returns true if a domain has content to read or search. */
export function hasContent({
  description,
  body,
  keywords,
}: Pick<MergedDomain, 'description' | 'body' | 'keywords'>): boolean {
  return description !== '' || body !== '' || keywords.length > 0;
}

/** Merges settings: the smallest size that a layer requests (0 for none), and the strongest folding. */
function mergeSettings(discoveries: readonly DomainDiscovery[]): DiscoverySettings {
  const settings: DiscoverySettings = {};
  for (const key of ['max_depth', 'notable_count', 'target_response_tokens'] as const) {
    const values = definedValues(discoveries.map((discovery) => discovery[key]));
    const sizes = values.filter((value) => value > 0);
    if (values.length > 0) settings[key] = sizes.length === 0 ? 0 : Math.min(...sizes);
  }
  const folds = definedValues(discoveries.map(({ fold_below_artifacts }) => fold_below_artifacts));
  if (folds.length > 0) settings.fold_below_artifacts = Math.max(...folds);
  const chains = definedValues(
    discoveries.map(({ fold_passthrough_chains }) => fold_passthrough_chains),
  );
  if (chains.length > 0) settings.fold_passthrough_chains = chains.includes(true);
  return settings;
}

function lastText(texts: readonly (string | undefined)[]): string {
  return texts.findLast((text) => text !== undefined && text.trim() !== '') ?? '';
}

function unique(lists: readonly (readonly string[] | undefined)[]): string[] {
  return [...new Set(lists.flatMap((list) => list ?? []))];
}

function definedValues<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined);
}
