import type { DomainMember } from '@catalog/core/domain/domain-reader';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Connection } from '../connection/connection.ts';
import { ON_MAP } from './counts.ts';
import type { DomainView } from './view.ts';
import { readList } from '../versions/rows.ts';

export type Winner = Omit<DomainMember, 'domain'>;

interface HeadRow {
  layer: LayerNumber;
  id: string;
  type: string;
  version: string;
  description: string;
  tags: string;
  on_map: number;
}

export function listWinners(
  connection: Connection,
  { tenant, ranks }: DomainView,
  ids: readonly string[],
): ReadonlyMap<string, Winner> {
  if (ids.length === 0) return new Map();
  // Few layers have the same id, so reading all is cheaper than filtering them in SQL.
  const rows = connection
    .statement<HeadRow>(
      `SELECT h.layer, h.id, h.type, h.version, h.description, h.tags, ${ON_MAP} AS on_map
       FROM json_each(?2) named CROSS JOIN heads h ON h.tenant = ?1 AND h.id = named.value`,
    )
    .all(tenant, JSON.stringify(ids));
  const highest = new Map<string, HeadRow>();
  const rankOf = ({ layer }: HeadRow): number => ranks.get(layer) ?? -1;
  for (const row of rows) {
    const known = highest.get(row.id);
    if (rankOf(row) > (known === undefined ? -1 : rankOf(known))) highest.set(row.id, row);
  }
  const winners = new Map<string, Winner>();
  for (const { id, type, version, description, tags, on_map } of highest.values()) {
    if (on_map === 1) winners.set(id, { id, type, version, description, tags: readList(tags) });
  }
  return winners;
}
