import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import type { Connection } from '../connection/connection.ts';
import { placeOf, stretchOf } from './postings.ts';

export interface SearchView {
  documents: ReadonlyMap<number, number>;
  shadows: Shadows;
}

export interface Shadows {
  count(layer: LayerNumber): number;
  placesIn(layer: LayerNumber, stretch: number): ReadonlySet<number>;
}

const MAX_VIEWS = 64;

/** Creates a function that caches each view until the tenant changes. */
export function createViewFinder(): (
  connection: Connection,
  tenant: Tenant,
  layers: LayerStack,
) => SearchView {
  const kept = new Map<string, { revision: number; view: SearchView }>();
  return (connection, tenant, layers) => {
    // Inside a transaction, the revision has not increased yet, so nothing is cached.
    if (connection.inTransaction()) return findView(connection, tenant, layers);
    const revision = readRevision(connection, tenant);
    const key = `${tenant} ${layers.join(' ')}`;
    const known = kept.get(key);
    if (known?.revision === revision) return known.view;
    const view = findView(connection, tenant, layers);
    if (kept.size >= MAX_VIEWS) kept.clear();
    kept.set(key, { revision, view });
    return view;
  };
}

function readRevision(connection: Connection, tenant: Tenant): number {
  const row = connection
    .statement<{ revision: number }>('SELECT revision FROM tenants WHERE tenant = ?')
    .get(tenant);
  return row?.revision ?? 0;
}

function findView(connection: Connection, tenant: Tenant, layers: LayerStack): SearchView {
  return {
    documents: countDocuments(connection, tenant, layers),
    shadows: findShadows(connection, tenant, layers),
  };
}

function countDocuments(
  connection: Connection,
  tenant: Tenant,
  layers: LayerStack,
): Map<number, number> {
  const rows = connection
    .statement<{ layer: LayerNumber; documents: number }>(
      `SELECT l.layer, l.documents FROM json_each(?2) visible
       CROSS JOIN search_layers l ON l.tenant = ?1 AND l.layer = visible.value
       WHERE l.documents > 0`,
    )
    .all(tenant, JSON.stringify(layers));
  return new Map(rows.map(({ layer, documents }) => [layer, documents]));
}

interface ContestedRow {
  id: string;
  layer: LayerNumber;
  number: number | null;
}

function findShadows(connection: Connection, tenant: Tenant, layers: LayerStack): Shadows {
  const ranks = new Map(layers.map((layer, rank) => [layer, rank]));
  const hidden: Hidden = new Map();
  const rows = connection
    .statement<ContestedRow>(
      `SELECT c.id, c.layer, d.number
       FROM contested_heads c LEFT JOIN search_documents d USING (tenant, layer, id)
       WHERE c.tenant = ? ORDER BY c.id`,
    )
    .all(tenant)
    .filter(({ layer }) => ranks.has(layer));
  for (const holders of Map.groupBy(rows, ({ id }) => id).values()) {
    const winner = Math.max(...holders.map(({ layer }) => ranks.get(layer) ?? 0));
    for (const { layer, number } of holders) {
      if (number === null || ranks.get(layer) === winner) continue;
      hide(hidden, layer, number);
    }
  }
  return {
    count(layer) {
      let count = 0;
      for (const places of hidden.get(layer)?.values() ?? []) count += places.size;
      return count;
    },
    placesIn: (layer, stretch) => hidden.get(layer)?.get(stretch) ?? NO_PLACES,
  };
}

type Hidden = Map<number, Map<number, Set<number>>>;

const NO_PLACES: ReadonlySet<number> = new Set();

function hide(hidden: Hidden, layer: LayerNumber, number: number): void {
  const stretches = hidden.get(layer) ?? new Map<number, Set<number>>();
  hidden.set(layer, stretches);
  const places = stretches.get(stretchOf(number)) ?? new Set();
  stretches.set(stretchOf(number), places);
  places.add(placeOf(number));
}
