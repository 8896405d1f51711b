import { join } from 'node:path';
import { defaultClientConditions } from 'vite';
import { configDefaults, defineConfig } from 'vitest/config';

/** They measure time, so they run when all others have ended, and not at the same time. */
const MEASURED = ['packages/server/src/http/latency.http.test.ts'];

/** One more than CI has cores: many tests wait for a process or a time limit. */
const WORKERS = Number(process.env['CATALOG_TEST_WORKERS'] ?? 3);

/** `./dev test` runs what needs no server; these need one, or start the packed program. */
const excluded =
  process.env['CATALOG_TEST_SERVERS'] === 'none'
    ? ['**/*.servers.test.ts', '**/*.e2e.test.ts', ...MEASURED]
    : [];

export default defineConfig({
  // 'import' is not among them: workers get the list as well, and a CommonJS package would get ESM.
  ssr: { resolve: { conditions: ['@catalog/source', 'node', 'default'] } },
  // Tests of components, which run with happy-dom.
  environments: {
    client: { resolve: { conditions: ['@catalog/source', ...defaultClientConditions] } },
  },
  test: {
    globalSetup: join(import.meta.dirname, 'tools/services/global-setup.ts'),
    pool: 'threads',
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The default is one second, which is short for a server next to two other test files.
    expect: { poll: { timeout: 10_000 } },
    reporters: ['default', './tools/counting-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts', 'tools/**/*.test.ts'],
          // `./dev live` runs the tests of live backends.
          exclude: [
            ...configDefaults.exclude,
            'tests/live/*.live.test.ts',
            ...MEASURED,
            ...excluded,
          ],
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'latency',
          include: MEASURED,
          exclude: [...configDefaults.exclude, ...excluded],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
