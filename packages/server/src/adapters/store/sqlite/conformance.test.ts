import { describe } from 'vitest';
import { locksConformance } from '@catalog/core/conformance/locks/locks.conformance';
import { openForTest } from '@catalog/core/conformance/samples.conformance';
import { storeConformance } from '@catalog/core/conformance/store.conformance';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openSqliteStore } from './open-store.ts';

describe('SQLite in a file', () => {
  storeConformance(() => openSqliteStore({ path: `${temporaryFolder()}/registry.db` }));
});

describe('SQLite locks in a single process', () => {
  locksConformance(async () => {
    const { locks } = await openForTest(() => openSqliteStore({ path: ':memory:' }));
    return [locks, locks];
  });
});

describe('SQLite in memory', () => {
  storeConformance(() => openSqliteStore({ path: ':memory:' }));
});
