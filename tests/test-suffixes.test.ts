import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

const SERVER_IMPORT =
  /^import (?!type)[^;]*'(?:@catalog\/testkit\/(?:services|postgres-database|documented-database|cluster-database|s3-bucket|toxic-proxy|varied-registry)|[./]*(?:tools\/)?services\/(?:postgres-cluster|s3|toxiproxy|provide-servers)\.ts)'/m;

test('a test file that uses a test server is named .servers.test.ts or .e2e.test.ts', () => {
  const files = globSync('{packages/*/src,tests,tools}/**/*.test.ts', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(500);
  const wrong = files.filter(
    (file) =>
      !/\.(?:servers|e2e|live)\.test\.ts$/.test(file) &&
      SERVER_IMPORT.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(wrong).toEqual([]);
});
