import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const COPIED = [
  'bench',
  'deploy',
  'docs',
  'examples',
  'packages',
  'tests',
  'tools',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'vitest.config.ts',
  'tsconfig.base.json',
  'tsconfig.node.json',
];
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', 'dist']);

/**
 * Dependencies are links, except for packages of the workspace: with links to those, the copy would
 * test the original.
 */
export function copyTree(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'catalog-mutate-'));
  for (const name of COPIED) {
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (source) => !LEFT_OUT.has(basename(source)),
    });
  }
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@catalog'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '@catalog' || name.startsWith('.vite')) continue;
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const name of readdirSync(join(copy, 'packages'))) {
    symlinkSync(join(copy, 'packages', name), join(modules, '@catalog', name));
    const own = join(root, 'packages', name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(copy, 'packages', name, 'node_modules'));
  }
  return copy;
}
