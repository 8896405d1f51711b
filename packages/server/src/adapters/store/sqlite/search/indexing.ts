import type { Indexing } from '@catalog/core/ports/search-index';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { FIRST_KIND, languageOf } from '@catalog/core/search/index-kind';
import { DEFAULT_LANGUAGE, type SearchLanguage } from '@catalog/core/search/language';
import type { Connection } from '../connection/connection.ts';
import { readJson, type JsonText } from '../connection/json-column.ts';

const NEVER_CHANGED: Indexing = { kinds: [FIRST_KIND], renewed_before: { layer: 0, id: '' } };

export function getIndexing(connection: Connection, tenant: Tenant): Indexing {
  const row = connection
    .statement<{ kinds: JsonText<string[]>; layer: LayerNumber; id: string }>(
      'SELECT kinds, layer, id FROM search_indexing WHERE tenant = ?',
    )
    .get(tenant);
  if (row === undefined) return NEVER_CHANGED;
  const { kinds, layer, id } = row;
  return { kinds: readJson(kinds), renewed_before: { layer, id } };
}

export function setIndexing(
  connection: Connection,
  tenant: Tenant,
  { kinds, renewed_before: { layer, id } }: Indexing,
): void {
  connection
    .statement('INSERT OR REPLACE INTO search_indexing VALUES (?, ?, ?, ?)')
    .run(tenant, JSON.stringify(kinds), layer, id);
}

/** Returns the languages of documents; the last one applies to new documents. */
export function languagesOf(connection: Connection, tenant: Tenant): SearchLanguage[] {
  return getIndexing(connection, tenant).kinds.map(languageOf);
}

export function languageFor(connection: Connection, tenant: Tenant): SearchLanguage {
  return languagesOf(connection, tenant).at(-1) ?? DEFAULT_LANGUAGE;
}
