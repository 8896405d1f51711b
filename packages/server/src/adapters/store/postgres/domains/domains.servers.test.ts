import { createDomainModel } from '@catalog/core/conformance/domains/domain-model.conformance';
import { domainTablesConformance } from '@catalog/core/conformance/domains/domain-tables.conformance';
import { domainsConformance } from '@catalog/core/conformance/domains/domains.conformance';
import { openForTest } from '@catalog/core/conformance/samples.conformance';
import { sharedDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { describe, onTestFinished } from 'vitest';
import { openPostgresStore } from '../open-store.ts';

const HISTORIES = 6;

describe('PostgreSQL', () => {
  const database = sharedDatabase();
  domainsConformance(async () => openPostgresStore({ dsn: (await database()).dsn }), HISTORIES);

  describe('domain tables', () => {
    domainTablesConformance(async () => {
      const { dsn, migration_dsn } = await database();
      const store = await openForTest(() => openPostgresStore({ dsn }));
      const client = new Client({ connectionString: migration_dsn });
      await client.connect();
      onTestFinished(() => client.end());
      return {
        model: createDomainModel(store, 1),
        async countRows(table) {
          const { rows } = await client.query<{ n: number }>(
            `SELECT count(*)::int AS n FROM catalog.${table}`,
          );
          return rows[0]?.n ?? 0;
        },
      };
    });
  });
});
