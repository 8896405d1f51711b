/** Code or an import; imports in code have no effect. */
const CODE_OR_IMPORT = new RegExp(
  [
    /^(`{3,}|~{3,})[^]*?^\1/,
    /`[^`\n]*`/,
    // Import such as `@docs/style.md` or `@../shared`, but not an e-mail address, `@param` or `@scope/name`.
    /(?<![\w@/`.-])@(?<path>(?:\.{1,2}\/)+\.?[\w-]+(?:(?:\.|\/\.?)[\w-]+)*|(?:\.?[\w-]+(?:\.[\w-]+)*\/)*\.?[\w-]+(?:\.[\w-]+)+)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
);

/** Prefix of paths relative to the workspace in a rule of the catalog. */
const ROOT_PREFIX = './';

/** Makes imports relative to the workspace: `@style.md` in a file of `.claude` becomes `@./.claude/style.md`. */
export function importsFromRoot(text: string, file: string): string {
  const folder = folderOf(file);
  return replaceImports(text, (path) => ROOT_PREFIX + joinPath(folder, path));
}

/**
 * Makes imports relative to a file: `@./docs/style.md` in `.claude/rules` becomes `@../../docs/style.md`. Other imports
 * stay.
 */
export function importsFromFile(text: string, file: string): string {
  const folder = folderOf(file);
  if (folder === '' || !text.includes(`@${ROOT_PREFIX}`)) return text;
  return replaceImports(text, (path) => {
    if (!path.startsWith(ROOT_PREFIX)) return path;
    return relativePath(folder.split('/'), joinPath('', path).split('/'));
  });
}

/** Removes the import of the file itself. Imports are relative to the workspace. */
export function withoutOwnImport(text: string, file: string): string {
  const own = `@${ROOT_PREFIX}${file}`;
  if (!text.includes(own)) return text;
  return text
    .split('\n')
    .filter((line) => line.trim() !== own)
    .join('\n');
}

function replaceImports(text: string, replace: (path: string) => string): string {
  return text.replaceAll(CODE_OR_IMPORT, (whole, ...rest) => {
    const { path }: { path?: string } = rest.at(-1);
    return path === undefined ? whole : `@${replace(path)}`;
  });
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')));
}

function relativePath(from: readonly string[], to: readonly string[]): string {
  const differs = from.findIndex((segment, index) => segment !== to[index]);
  if (differs === -1) return `./${to.slice(from.length).join('/')}`;
  return '../'.repeat(from.length - differs) + to.slice(differs).join('/');
}

/** Joins paths; a leading `..` stays. */
function joinPath(folder: string, path: string): string {
  const joined: string[] = [];
  for (const segment of `${folder}/${path}`.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && joined.length > 0 && joined.at(-1) !== '..') joined.pop();
    else joined.push(segment);
  }
  return joined.join('/');
}
