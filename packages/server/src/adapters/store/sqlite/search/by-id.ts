import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection } from '../connection/connection.ts';

export interface Members {
  layer: LayerNumber;
  count: number;
  /** Number of documents that a walk in id order must read to find all members. */
  among: number;
  has(number: number): boolean;
  list(): readonly number[];
}

export interface Found {
  layer: LayerNumber;
  number: number;
  id: string;
}

/** No id contains the last code point. */
export const LAST_ID = '\u{10FFFF}';

/** Maximum number of rows per statement; a walk starts with few rows and doubles. */
const MAX_PAGE = 2_000;

export interface IdRange {
  after: string;
  before: string;
}

/**
 * Returns the first members in id order. If most documents are members, a walk in id order is fast. Otherwise all
 * member ids are read, so that the cost depends on the members and not on the layer.
 */
export function firstById(
  connection: Connection,
  tenant: Tenant,
  members: Members,
  range: IdRange,
  limit: number,
): Found[] {
  if (members.count === 0) return [];
  const expected = (limit * members.among) / members.count;
  const walked =
    expected > members.count ? undefined : walk(connection, tenant, members, range, limit);
  if (walked !== undefined) return walked;
  return fetchIds(connection, tenant, members.layer, members.list())
    .filter(({ id }) => compareBytes(id, range.after) > 0 && compareBytes(id, range.before) < 0)
    .sort((a, b) => compareBytes(a.id, b.id))
    .slice(0, limit);
}

export function fetchIds(
  connection: Connection,
  tenant: Tenant,
  layer: LayerNumber,
  numbers: readonly number[],
): Found[] {
  return connection
    .statement<Found>(
      `SELECT d.layer, d.number, d.id FROM json_each(?3) wanted
       CROSS JOIN search_documents d ON d.tenant = ?1 AND d.layer = ?2 AND d.number = wanted.value`,
    )
    .all(tenant, layer, JSON.stringify(numbers));
}

/** Walks in id order. Returns undefined if reading all members would be faster. */
function walk(
  connection: Connection,
  tenant: Tenant,
  members: Members,
  range: IdRange,
  limit: number,
): Found[] | undefined {
  const statement = connection.statement<Found>(
    `SELECT layer, number, id FROM search_documents
     WHERE tenant = ? AND layer = ? AND id > ? AND id < ? ORDER BY id LIMIT ? + 0`,
  );
  const found: Found[] = [];
  let page = 2 * limit;
  let { after } = range;
  for (let seen = 0; seen <= 2 * members.count; seen += page) {
    page = Math.min(Math.max(page, seen), MAX_PAGE);
    const rows = statement.all(tenant, members.layer, after, range.before, page);
    for (const row of rows) {
      if (members.has(row.number)) found.push(row);
      if (found.length === limit) return found;
    }
    if (rows.length < page) return found;
    after = rows.at(-1)?.id ?? after;
  }
  return undefined;
}
