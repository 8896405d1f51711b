import type { Indexing } from '@catalog/core/ports/search-index';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { FIRST_KIND, languageOf } from '@catalog/core/search/index-kind';
import { DEFAULT_LANGUAGE, type SearchLanguage } from '@catalog/core/search/language';
import type { Queries } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';

const NEVER_CHANGED: Indexing = { kinds: [FIRST_KIND], renewed_before: { layer: 0, id: '' } };

const READ: Sql<{ kinds: string[]; layer: LayerNumber; id: string }> =
  'SELECT kinds, layer, id FROM search_indexing WHERE tenant = $1';
const WRITE = `INSERT INTO search_indexing (tenant, kinds, layer, id) VALUES ($1, $2, $3, $4)
  ON CONFLICT (tenant) DO UPDATE SET kinds = excluded.kinds, layer = excluded.layer, id = excluded.id`;

export async function getIndexing(queries: Queries, tenant: Tenant): Promise<Indexing> {
  const row = await queries.row(READ, tenant);
  if (row === undefined) return NEVER_CHANGED;
  const { kinds, layer, id } = row;
  return { kinds, renewed_before: { layer, id } };
}

export async function setIndexing(
  queries: Queries,
  tenant: Tenant,
  { kinds, renewed_before: { layer, id } }: Indexing,
): Promise<void> {
  await queries.run(WRITE, tenant, kinds, layer, id);
}

/** Returns the language for new documents. The transaction must hold the tenant's lock. */
export async function languageFor(queries: Queries, tenant: Tenant): Promise<SearchLanguage> {
  const { kinds } = await getIndexing(queries, tenant);
  return kinds.map(languageOf).at(-1) ?? DEFAULT_LANGUAGE;
}
