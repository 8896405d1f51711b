import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ClientBase } from 'pg';
import { SCHEMA } from '../pool/pool.ts';

const FIND = `SELECT n.nspname AS schema
  FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
  WHERE e.extname = 'vector' AND n.nspname <> '${SCHEMA}'`;

/** Rejects a database with pgvector in another schema than `catalog`, where statements look for its types. */
export async function requireVectorSchema(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(FIND);
  const [found] = rows;
  if (found === undefined) return;
  throw new CatalogError(
    'config.invalid',
    `The extension vector (pgvector) is installed in the schema ${found.schema}, but the registry uses it in the schema ${SCHEMA}.`,
    {
      details: { key: 'store.dsn', value: found.schema },
      suggested_action: `As the owner of the extension, run ALTER EXTENSION vector SET SCHEMA ${SCHEMA}. If other programs use it in this database, give the registry its own database.`,
    },
  );
}
