import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bytesHash } from '../../packages/core/src/artifact/content-hash.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Everything that the built and packed program depends on. */
const INPUTS = [
  'LICENSE',
  'package-lock.json',
  'tools/build.ts',
  'packages/cli/README.md',
  'packages/embedder/NOTICE',
  'packages/embedder/data',
  'packages/web/build',
  'packages/web/index.html',
  'packages/web/vite.config.ts',
  ...[
    'cli',
    'consumer',
    'contract',
    'core',
    'embedder',
    'harness',
    'mcp',
    'sdk',
    'server',
    'web',
  ].flatMap((name) => [`packages/${name}/package.json`, `packages/${name}/src`]),
];

const NOT_BUILT = /\.test\.tsx?$|\/(?:golden|fixtures|corpus)\//;

export function hashProgramInputs(): string {
  const parts = INPUTS.flatMap((input) => listInputs(join(ROOT, input)))
    .sort()
    .map((path) => `${path}\0${bytesHash(readFileSync(path))}`);
  return bytesHash(parts.join('\n')).replace('sha256:', '').slice(0, 16);
}

function listInputs(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_BUILT.test(join(entry.parentPath, entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
}
