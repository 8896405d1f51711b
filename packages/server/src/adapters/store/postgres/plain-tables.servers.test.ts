import {
  plainTablesConformance,
  type SchemaTable,
} from '@catalog/core/conformance/plain-tables/plain-tables.conformance';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';

const SCHEMA = `SELECT c.relname AS name,
    (SELECT json_object_agg(attname, format_type(atttypid, atttypmod)) FROM pg_attribute
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns,
    (SELECT coalesce(json_agg((SELECT json_agg(attname ORDER BY at)
        FROM unnest(i.indkey) WITH ORDINALITY AS part (attnum, at)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = part.attnum)), '[]')
      FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique) AS keys
  FROM pg_class c WHERE c.relnamespace = 'catalog'::regnamespace AND c.relkind IN ('r', 'p')`;

async function readSchema(): Promise<SchemaTable[]> {
  const { migration_dsn } = await temporaryDatabase();
  const client = new Client({ connectionString: migration_dsn });
  await client.connect();
  try {
    return (await client.query<SchemaTable>(SCHEMA)).rows;
  } finally {
    await client.end();
  }
}

plainTablesConformance('postgres', readSchema, [
  'blobs',
  'edges',
  'head_counts',
  'head_details',
  'head_overlap_layers',
  'head_overlaps',
  'heads',
  'rejection_awaits',
  'rejections',
  'server_heads',
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
  'embedding_models',
  'embedding_runs',
  'search_documents',
  'search_frequencies',
  'search_indexing',
  'search_layers',
  'search_postings',
  'search_terms',
  'search_trigrams',
  'vector_models',
  'waiting_texts',
  // Only triggers and functions write this table.
  'quota_leases',
  'tenant_usage',
  // Only programs before step 15 use this table.
  'sessions',
  'migrations',
]);
