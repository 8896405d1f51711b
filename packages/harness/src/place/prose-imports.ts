/** Imports in a fenced block or a code span have no effect. */
const CODE_OR_IMPORT = new RegExp(
  [
    /^(`{3,}|~{3,})[^]*?^\1/,
    /`[^`\n]*`/,
    // `@docs/style.md` or `@../shared`, but not an email address, `@param` or `@scope/name`.
    /(?<![\w@/`.-])@(?<path>(?:\.{1,2}\/)+\.?[\w-]+(?:(?:\.|\/\.?)[\w-]+)*|(?:\.?[\w-]+(?:\.[\w-]+)*\/)*\.?[\w-]+(?:\.[\w-]+)+)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
);

/** Relative to the workspace root, in a rule of the catalog. */
const ROOT_PREFIX = './';

/** `@style.md` in a file of `.claude` becomes `@./.claude/style.md`. */
export function importsFromRoot(text: string, file: string): string {
  const folder = folderOf(file);
  return replaceImports(text, (path) => ROOT_PREFIX + joinPath(folder, path));
}

/**
 * `@./docs/style.md` in a file of `.claude/rules` becomes `@../../docs/style.md`. Other imports stay
 * unchanged.
 */
export function importsFromFile(text: string, file: string): string {
  const folder = folderOf(file);
  if (folder === '' || !text.includes(`@${ROOT_PREFIX}`)) return text;
  return replaceImports(text, (path) => {
    if (!path.startsWith(ROOT_PREFIX)) return path;
    return relativePath(folder.split('/'), joinPath('', path).split('/'));
  });
}

/** The paths of the imports are relative to the workspace root. */
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

/** A leading `..` stays. */
function joinPath(folder: string, path: string): string {
  const joined: string[] = [];
  for (const segment of `${folder}/${path}`.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && joined.length > 0 && joined.at(-1) !== '..') joined.pop();
    else joined.push(segment);
  }
  return joined.join('/');
}
