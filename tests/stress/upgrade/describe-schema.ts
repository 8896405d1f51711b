import type { DocumentedDatabase } from '@catalog/testkit/documented-database';
import { Client } from 'pg';

const DESCRIBE = `
  SELECT format('column %s.%s %s %s', table_name, column_name, data_type, is_nullable) AS line
    FROM information_schema.columns WHERE table_schema = 'catalog'
  UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'catalog'
  UNION ALL SELECT format('policy %s %s %s %s', tablename, policyname, roles, qual)
    FROM pg_policies WHERE schemaname = 'catalog'
  UNION ALL SELECT format('function %s %s %s', p.oid::regprocedure, p.prosecdef, md5(p.prosrc))
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'catalog'
  UNION ALL SELECT format('privilege %s %s %s', table_name, grantee, privilege_type)
    FROM information_schema.role_table_grants
    WHERE table_schema = 'catalog' AND grantee IN ('catalog_program', 'catalog_keeper')
  UNION ALL SELECT format('step %s %s %s', number, checksum, oldest_program)
    FROM catalog.migrations
  ORDER BY line`;

export async function describeSchema({ superuser_dsn }: DocumentedDatabase): Promise<string[]> {
  const rows = await queryDatabase<{ line: string }>(superuser_dsn, DESCRIBE);
  return rows.map(({ line }) => line);
}

/** Runs statements, and returns the rows of a single one. */
export async function queryDatabase<Row extends object>(dsn: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
