import { describe } from 'vitest';
import { storeConformance } from '@catalog/core/conformance/store.conformance';
import { sharedDatabase } from '@catalog/testkit/postgres-database';
import { openPostgresStore } from './open-store.ts';

describe('PostgreSQL', () => {
  const emptyDatabase = sharedDatabase();
  storeConformance(async () => openPostgresStore({ dsn: (await emptyDatabase()).dsn }));
});
