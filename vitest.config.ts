import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  // 'import' is not among them: workers get the list as well, and a CommonJS package would get ESM.
  ssr: { resolve: { conditions: ['@catalog/source', 'node', 'default'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts', 'tools/**/*.test.ts'],
    // `./dev live` runs them.
    exclude: [...configDefaults.exclude, 'tests/live/*.live.test.ts'],
    globalSetup: join(import.meta.dirname, 'tools/services/global-setup.ts'),
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', './tools/counting-reporter.ts'],
  },
});
