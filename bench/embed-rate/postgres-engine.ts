import { serviceSetting } from '@catalog/testkit/services';
import { encode } from '@catalog/embedder/encode';
import { openPostgresStore } from '@catalog/server/adapters/store/postgres/open-store';
import { halfvecs } from '@catalog/server/adapters/store/postgres/vectors/halfvec';
import { Client } from 'pg';
import { dropBenchDatabase, keepDatabase } from '../pg-database.ts';
import type { EmbedEngine } from './embed-engine.ts';

const DATABASE = 'catalog_bench_embed';

export const postgresEngine: EmbedEngine = {
  name: 'postgres',
  in_process: false,
  async open() {
    await dropBenchDatabase(DATABASE);
    const { dsn } = await keepDatabase(DATABASE);
    return openPostgresStore({ dsn });
  },
  async insertBare(_folder, batches) {
    const client = await connect();
    try {
      const type = await client.query<{ oid: number }>(
        "SELECT 'halfvec'::regtype::oid::int AS oid",
      );
      await client.query('DROP TABLE IF EXISTS public.bare');
      await client.query(
        'CREATE TABLE public.bare (number serial PRIMARY KEY, vector halfvec(256) NOT NULL)',
      );
      const insert = 'INSERT INTO public.bare (vector) SELECT unnest($1::halfvec[])';
      for (const texts of batches) {
        const vectors = halfvecs(texts.map(encode), type.rows[0]?.oid ?? 0);
        await client.query({ name: 'insert', text: insert, values: [vectors] });
      }
      await client.query('DROP TABLE public.bare');
    } finally {
      await client.end();
    }
  },
};

async function connect(): Promise<Client> {
  const url = new URL(serviceSetting('CATALOG_TEST_POSTGRES_DSN'));
  url.pathname = `/${DATABASE}`;
  const client = new Client({
    connectionString: url.href,
    options: '-c search_path=public,catalog',
  });
  await client.connect();
  return client;
}
