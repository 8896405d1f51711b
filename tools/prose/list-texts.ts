import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSources } from '../syntax/load-sources.ts';

const PAGE_FOLDERS: readonly string[] = ['docs', 'examples', 'packages/cli/README.md'];
const ROOT_PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'STYLE.md',
];
/** The text of the specification is fixed, and artifacts of examples have other authors. */
const NOT_CHECKED = /^docs\/specification\/|^examples\/.*(?<!README\.md)$/;

/** Excludes tests, fixtures and test tools. */
const SOURCE_FOLDERS: readonly string[] = ['packages', 'tools/docs'];
const NOT_SHIPPED =
  /\.(?:test|conformance|d)\.ts$|^packages\/(?:testkit\/|[\w-]+\/(?!src\/))|\/(?:fixtures|conformance|golden|node_modules|dist)\//;

/** Sources whose string literals are shell scripts or word lists. */
const NOT_MESSAGES: ReadonlySet<string> = new Set([
  'packages/cli/src/commands/completion/render-bash.ts',
  'packages/cli/src/commands/completion/render-fish.ts',
  'packages/cli/src/commands/completion/render-zsh.ts',
  'packages/core/src/search/language.ts',
  'packages/harness/src/shim/hook-scripts.ts',
]);

const DECISION_PAGE = /^docs\/decisions\/\d/;

const CODE_FOLDERS: readonly string[] = ['packages', 'tests', 'bench', 'tools'];
const CODE_ENDINGS: readonly string[] = ['.ts', '.tsx', '.mjs'];

export function listCode(root: string): Map<string, string> {
  return loadSources(root, CODE_FOLDERS, CODE_ENDINGS);
}

/** Lists the decision records. */
export function listRecords(root: string): string[] {
  return listFiles(root, 'docs/decisions', '.md').filter((path) => DECISION_PAGE.test(path));
}

/** Pages come first, then sources. */
export function listTexts(root: string): string[] {
  const pages = [
    ...ROOT_PAGES.filter((path) => existsSync(join(root, path))),
    ...PAGE_FOLDERS.flatMap((folder) => listFiles(root, folder, '.md')),
  ].filter((path) => !NOT_CHECKED.test(path));
  const sources = SOURCE_FOLDERS.flatMap((folder) => listFiles(root, folder, '.ts'));
  return [
    ...pages,
    ...sources.filter((path) => !NOT_SHIPPED.test(path) && !NOT_MESSAGES.has(path)),
  ];
}

function listFiles(root: string, path: string, extension: string): string[] {
  if (path.endsWith(extension)) return existsSync(join(root, path)) ? [path] : [];
  if (!existsSync(join(root, path))) return [];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const child = `${path}/${entry.name}`;
    if (entry.isDirectory())
      return entry.name === 'node_modules' ? [] : listFiles(root, child, extension);
    return entry.isFile() && entry.name.endsWith(extension) ? [child] : [];
  });
}

/** For the changelog, returns only the unreleased part, because history does not change. */
export function readText(root: string, path: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  if (path !== 'CHANGELOG.md') return text;
  const headings = [...text.matchAll(/^## /gm)].map(({ index }) => index);
  return text.slice(0, headings[1] ?? text.length);
}
