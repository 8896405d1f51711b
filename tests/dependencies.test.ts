import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PAGE = readFileSync(join(ROOT, 'docs/decisions/dependencies.md'), 'utf8');
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

const OTHER_SOURCE =
  /\((?:PyPI|Go|Debian)\)|^Chromium|^Dex|^also |^@qdrant\/|^@pinecone-database\//;

function listInstalled(): string[] {
  const files = ['package.json', ...readdirSync(join(ROOT, 'packages')).map(packageFile)];
  const names = files
    .filter((file) => existsSync(join(ROOT, file)))
    .flatMap((file) => {
      const manifest: Record<string, object> = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
      return KINDS.flatMap((kind) => Object.keys(manifest[kind] ?? {}));
    });
  return [...new Set(names)].filter((name) => !name.startsWith('@catalog/')).sort();
}

function packageFile(name: string): string {
  return `packages/${name}/package.json`;
}

/** Lists the packages in the first column of the tables; a scope applies to the rest of its cell. */
function listDocumented(): string[] {
  const [used = ''] = PAGE.split('## Rejected');
  return [...used.matchAll(/^\| ([^|]+?) *\|/gm)].flatMap(([, cell = '']) => {
    let scope = '';
    return cell.split(', ').flatMap((item) => {
      if (cell === 'Package' || cell.startsWith('---') || OTHER_SOURCE.test(item)) return [];
      const [name = ''] = item.split(' ');
      if (name.startsWith('@')) scope = name.slice(0, name.indexOf('/') + 1);
      return [name.startsWith('@') ? name : `${scope}${name}`];
    });
  });
}

test('the page of dependencies lists exactly the packages in use', () => {
  const documented = new Set(listDocumented());
  const installed = listInstalled();
  expect(installed.filter((name) => !documented.has(name))).toEqual([]);
  expect([...documented].filter((name) => !installed.includes(name))).toEqual([]);
});

const RECORDS = join(ROOT, 'docs/decisions');
/** A path with the size of the file, as records write it to compare our code with a package. */
const SIZED_FILE = /`([^`]+\.ts)` \((\d+) lines\)/g;
/** Tolerance for edits after the record was written. */
const TOLERANCE = 0.2;

test('decision records contain the current size of the files that they list', () => {
  const sizes = readdirSync(RECORDS)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => [...readFileSync(join(RECORDS, name), 'utf8').matchAll(SIZED_FILE)])
    .map(([, path = '', stated]) => {
      const actual = readFileSync(join(ROOT, path), 'utf8').trimEnd().split('\n').length;
      return { path, stated: Number(stated), actual };
    });
  expect(sizes.length).toBeGreaterThan(0);
  const isWrong = ({ stated, actual }: (typeof sizes)[number]): boolean =>
    Math.abs(stated - actual) > TOLERANCE * actual;
  expect(sizes.filter(isWrong)).toEqual([]);
});
