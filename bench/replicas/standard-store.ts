import { createDatabase, dropDatabase, prepareTemplate } from '@catalog/testkit/postgres-database';

/** A database of its own for one figure, and the settings that lead processes to it. */
export async function withDatabase<Result>(
  work: (env: Readonly<Record<string, string>>, dsn: string) => Promise<Result>,
): Promise<Result> {
  const { name, dsn } = await createDatabase(await prepareTemplate());
  try {
    return await work({ CATALOG_REGISTRY_STORE: 'postgres', CATALOG_POSTGRES_DSN: dsn }, dsn);
  } finally {
    await dropDatabase(name);
  }
}
