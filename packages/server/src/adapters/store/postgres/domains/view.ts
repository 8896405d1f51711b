import { pathAndAbove } from '@catalog/core/domain/domain-path';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import { subtreeRanges } from '@catalog/core/text/path-ranges';
import { isWithin } from '@catalog/core/text/slash-path';
import type { Sql } from '../../shared/sql.ts';
import { columns } from '../versions/columns.ts';
import type { Queries } from '../../shared/queries.ts';

/** View of the domains for one request. Cached facts let later queries read fewer layers. */
export interface DomainView {
  tenant: Tenant;
  layers: LayerStack;
  describing: readonly number[];
  unlisting: readonly number[];
  importing: readonly number[];
  /** Layers that share an id with another layer, if at least one of the two heads is not listed. */
  shadowing: readonly number[];
  /** Unlisted domains. Complete for the `looked` paths, their ancestors and their descendants. */
  unlisted: Set<string>;
  looked: Set<string>;
  /** Exclude filters of domains that several `DOMAIN.md` files describe. */
  excluded: Map<string, (id: string) => boolean>;
}

// Reads which layers have descriptions, shared ids and other data. Most of the data exists only in layers with
// descriptions.
const LIST_LAYER_FACTS: Sql<LayerFact> = `WITH describing AS (SELECT layer FROM domains
    WHERE tenant = $1 AND path = '' AND layer = ANY($2::int[]) AND file_count > 0)
  SELECT 'describing' AS fact, layer FROM describing
  UNION ALL
  SELECT 'unlisting', d.layer FROM describing d CROSS JOIN LATERAL (SELECT 1 FROM domains
    WHERE tenant = $1 AND layer = d.layer AND unlisted LIMIT 1) one
  UNION ALL
  SELECT 'importing', d.layer FROM describing d CROSS JOIN LATERAL (SELECT 1 FROM domain_globs
    WHERE tenant = $1 AND layer = d.layer LIMIT 1) one
  UNION ALL
  SELECT DISTINCT 'shadowing', layer FROM domain_overlaps
  WHERE tenant = $1 AND path = '' AND layer = ANY($2::int[]) AND shadows`;

interface LayerFact {
  fact: 'describing' | 'unlisting' | 'importing' | 'shadowing';
  layer: LayerNumber;
}

export async function openDomainView(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
): Promise<DomainView> {
  const facts = await queries.rows(LIST_LAYER_FACTS, tenant, layers);
  const having = (wanted: LayerFact['fact']): LayerNumber[] =>
    facts.filter(({ fact }) => fact === wanted).map(({ layer }) => layer);
  return {
    tenant,
    layers,
    describing: having('describing'),
    unlisting: having('unlisting'),
    importing: having('importing'),
    shadowing: having('shadowing'),
    unlisted: new Set(),
    looked: new Set(),
    excluded: new Map(),
  };
}

const LIST_UNLISTED: Sql<{ path: string }> =
  `SELECT d.path FROM unnest($2::int[]) AS of_view (layer)
  CROSS JOIN LATERAL (SELECT path FROM domains
    WHERE tenant = $1 AND layer = of_view.layer AND unlisted AND path = ANY($3::text[])) d
  UNION
  SELECT d.path FROM unnest($2::int[]) AS of_view (layer)
  CROSS JOIN unnest($4::text[], $5::text[]) AS below ("from", before)
  CROSS JOIN LATERAL (SELECT path FROM domains
    WHERE tenant = $1 AND layer = of_view.layer AND unlisted
      AND path >= below."from" AND path < below.before) d`;

/** Loads the unlisted domains around some paths. Call it before `isHidden` and `unlistedBelow`. */
export async function loadUnlisted(
  queries: Queries,
  view: DomainView,
  paths: readonly string[],
): Promise<void> {
  if (view.unlisting.length === 0) return;
  const isKnown = (path: string): boolean => pathAndAbove(path).some((at) => view.looked.has(at));
  const unknown = paths.filter((path) => !isKnown(path));
  if (unknown.length === 0) return;
  const ranges = unknown.flatMap((path) => subtreeRanges(path, []));
  const rows = await queries.rows(
    LIST_UNLISTED,
    view.tenant,
    view.unlisting,
    [...new Set(unknown.flatMap(pathAndAbove))],
    ...columns(ranges, 'from', 'before'),
  );
  for (const { path } of rows) view.unlisted.add(path);
  for (const path of unknown) view.looked.add(path);
}

export function isHidden({ unlisted }: DomainView, path: string): boolean {
  return unlisted.size > 0 && pathAndAbove(path).some((at) => unlisted.has(at));
}

/** Lists the topmost unlisted domains below a path. */
export function unlistedBelow({ unlisted }: DomainView, path: string): string[] {
  return [...unlisted].filter(
    (below) =>
      isWithin(below, path) && !pathAndAbove(below).some((at) => at !== below && unlisted.has(at)),
  );
}
