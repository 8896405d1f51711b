import { randomUUID } from 'node:crypto';
import { createDatabase, dropDatabase } from '@catalog/testkit/postgres-database';
import { openTestBucket } from '@catalog/testkit/s3-bucket';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';

export interface StandardBackend {
  env: Readonly<Record<string, string>>;
  /** Additional environment variables of `catalog admin`: the owner of the database. */
  owner: Readonly<Record<string, string>>;
  /** The role of the registry, which does not exist yet. */
  role: string;
}

export async function openStandardBackend(): Promise<StandardBackend> {
  const { name, migration_dsn } = await createDatabase();
  const role = `catalog_${randomUUID().replaceAll('-', '')}`;
  const bucket = await openTestBucket();
  onTestFinished(async () => {
    await bucket.empty();
    await dropDatabase(name);
    await dropRole(migration_dsn, role);
  });
  const dsn = new URL(migration_dsn);
  dsn.username = role;
  dsn.password = 'catalog';
  const { endpoint = '', credentials, prefix } = bucket.options;
  return {
    env: {
      CATALOG_REGISTRY_STORE: 'postgres',
      CATALOG_POSTGRES_DSN: dsn.href,
      CATALOG_POSTGRES_POOL_SIZE: '4',
      CATALOG_OBJECT_STORE: 's3',
      CATALOG_S3_ENDPOINT: endpoint,
      CATALOG_S3_BUCKET: bucket.options.bucket,
      CATALOG_S3_FORCE_PATH_STYLE: 'true',
      CATALOG_S3_ACCESS_KEY_ID: credentials?.access_key_id ?? '',
      CATALOG_S3_SECRET_ACCESS_KEY: credentials?.secret_access_key ?? '',
      CATALOG_S3_PREFIX: prefix,
    },
    owner: { CATALOG_POSTGRES_MIGRATION_DSN: migration_dsn },
    role,
  };
}

async function dropRole(dsn: string, role: string): Promise<void> {
  const client = new Client({ connectionString: new URL('/postgres', dsn).href });
  await client.connect();
  try {
    await client.query(`DROP ROLE IF EXISTS ${role}`);
  } finally {
    await client.end();
  }
}
