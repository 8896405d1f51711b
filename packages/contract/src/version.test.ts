import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VERSION } from './version.ts';

const root = join(import.meta.dirname, '../../..');
const manifests = [
  'package.json',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`),
];

test.each(manifests)('%s has the same version as the source', (file) => {
  const manifest: { version: string } = JSON.parse(readFileSync(join(root, file), 'utf8'));
  expect(manifest.version).toBe(VERSION);
});
