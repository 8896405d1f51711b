/** `@docs/style.md` or `@../shared`, not part of a word such as an address; no `@param`, no `@scope/name`. */
const IMPORT =
  /(?<![\w@/`.-])@((?:\.{1,2}\/)+[\w-]+(?:[./][\w-]+)*|[\w-]+(?:\/[\w-]+)*(?:\.[\w-]+)+)/g;
const FENCED = /^(`{3,}|~{3,})[^]*?^\1/gm;
const CODE_SPAN = /`[^`\n]*`/g;

/** The files a text imports by a path that counts from its own folder. Nothing in code is an import. */
export function relativeImports(text: string): string[] {
  const prose = text.replaceAll(FENCED, '').replaceAll(CODE_SPAN, '');
  return [...new Set([...prose.matchAll(IMPORT)].map(([whole]) => whole))];
}
