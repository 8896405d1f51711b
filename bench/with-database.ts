import { createDatabase, dropDatabase, prepareTemplate } from '@catalog/testkit/postgres-database';

export async function withDatabase<Result>(
  work: (env: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  const { name, dsn } = await createDatabase(await prepareTemplate());
  try {
    return await work({ CATALOG_REGISTRY_STORE: 'postgres', CATALOG_POSTGRES_DSN: dsn });
  } finally {
    await dropDatabase(name);
  }
}
