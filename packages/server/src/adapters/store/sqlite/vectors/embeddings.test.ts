import { join } from 'node:path';
import { embeddingsConformance } from '@catalog/core/conformance/embeddings/embeddings.conformance';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe } from 'vitest';
import { openSqliteStore } from '../open-store.ts';

describe('embeddings in memory', () => {
  embeddingsConformance(() => openSqliteStore({ path: ':memory:' }));
});

describe('embeddings in a file', () => {
  embeddingsConformance(() => openSqliteStore({ path: join(temporaryFolder(), 'catalog.db') }));
});
