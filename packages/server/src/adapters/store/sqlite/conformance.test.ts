import { describe } from 'vitest';
import { storeConformance } from '@catalog/core/conformance/store.conformance';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openSqliteStore } from './open-store.ts';

describe('SQLite in a file', () => {
  storeConformance(() => openSqliteStore({ path: `${temporaryFolder()}/registry.db` }));
});

describe('SQLite in memory', () => {
  storeConformance(() => openSqliteStore({ path: ':memory:' }));
});
