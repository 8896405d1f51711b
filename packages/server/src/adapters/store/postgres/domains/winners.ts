import type { DomainMember } from '@catalog/core/domain/domain-reader';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import type { Queries } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';

/** SQL condition for a table `h`: the head is listed, so it is neither deprecated nor found only by its id. */
export const ON_MAP = `(NOT h.deprecated AND h.search_visibility = 'indexed')`;

export type Winner = Omit<DomainMember, 'domain'>;

/**
 * Selects the head of `named.id` in the view `$2`, if it is listed. The sum makes the planner read the few layers with
 * this id, instead of each layer of the view.
 */
export const WINNER = `(SELECT w.type, w.version, w.description, w.tags FROM (
    SELECT h.type, h.version, h.description, h.tags, ${ON_MAP} AS on_map FROM heads h
    WHERE h.tenant = $1 AND h.id = named.id AND (h.layer + 0) = ANY($2::int[])
    ORDER BY array_position($2::int[], h.layer) DESC LIMIT 1) w WHERE w.on_map)`;

const LIST_WINNERS: Sql<Winner> = `SELECT named.id, w.* FROM unnest($3::text[]) AS named (id)
  CROSS JOIN LATERAL ${WINNER} w`;

export function listWinners(
  queries: Queries,
  { tenant, layers }: { tenant: Tenant; layers: LayerStack },
  ids: readonly string[],
): Promise<Winner[]> {
  return queries.rows(LIST_WINNERS, tenant, layers, [...new Set(ids)]);
}
