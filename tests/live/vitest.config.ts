import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Configuration of `./dev live`: runs only the backends in `test.env`. */
export default defineConfig({
  ssr: { resolve: { conditions: ['@catalog/source', 'node', 'default'] } },
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['tests/live/*.live.test.ts'],
    pool: 'threads',
    reporters: ['default', './tools/counting-reporter.ts'],
  },
});
