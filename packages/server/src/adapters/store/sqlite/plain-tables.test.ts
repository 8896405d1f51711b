import { DatabaseSync } from 'node:sqlite';
import {
  plainTablesConformance,
  type SchemaTable,
} from '@catalog/core/conformance/plain-tables/plain-tables.conformance';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openSqliteStore } from './open-store.ts';

const COLUMNS = 'SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid';
const UNIQUE_INDEXES = 'SELECT name FROM pragma_index_list(?) WHERE "unique"';
const INDEX_COLUMNS = 'SELECT name FROM pragma_index_info(?) ORDER BY seqno';

async function readSchema(): Promise<SchemaTable[]> {
  const path = `${temporaryFolder()}/registry.db`;
  await (await openSqliteStore({ path })).close();
  const database = new DatabaseSync(path, { readOnly: true });
  const list = (sql: string, ...of: string[]) =>
    database
      .prepare(sql)
      .all(...of)
      .map((row) => ({
        name: String(row['name']),
        type: String(row['type']),
        pk: Number(row['pk']),
      }));
  try {
    return list("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => {
      const columns = list(COLUMNS, name);
      const primary = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
      const indexes = list(UNIQUE_INDEXES, name).map((index) => list(INDEX_COLUMNS, index.name));
      return {
        name,
        columns: Object.fromEntries(columns.map((column) => [column.name, column.type])),
        keys: [primary, ...indexes].map((key) => key.map((column) => column.name)),
      };
    });
  } finally {
    database.close();
  }
}

plainTablesConformance('sqlite', readSchema, [
  'blobs',
  'contested_heads',
  'edges',
  'head_counts',
  'heads',
  'overlaps',
  'rejection_awaits',
  'rejections',
  'version_files',
  'version_standings',
  'versions',
  'domain_files',
  'domain_globs',
  'domain_imports',
  'domain_members',
  'domain_overlaps',
  'domain_postings',
  'domain_shared_ids',
  'domain_sharings',
  'domains',
  'domain_vectors',
  'embedding_models',
  'embedding_runs',
  'embedding_stamps',
  'embedding_waiting',
  'search_documents',
  'search_indexing',
  'search_layers',
  'search_postings',
  'search_terms',
  'search_trigrams',
  'search_words',
  'vector_models',
  'vector_shelves',
  'vectors',
  'tenant_usage',
  'migrations',
  'sqlite_sequence',
]);
