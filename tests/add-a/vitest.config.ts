import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** For the patched copy of the repository; leaves out tests that need another server. */
export default defineConfig({
  ssr: { resolve: { conditions: ['@catalog/source', 'node', 'default'] } },
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['packages/*/src/**/*.test.ts', 'tests/*.test.ts'],
    // The in-memory store runs the same suite as the file store without waiting for the disk. The authorization matrix
    // is compared with the contract but not run. PostgreSQL would need a server.
    testNamePattern:
      /^(?!SQLite in a file|the cells that reach every rule|backup of a standard registry)/,
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    reporters: ['default'],
  },
});
