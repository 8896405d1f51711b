import type { Candidate, Found } from './candidate.ts';
import { normalizeWhitespace } from './group-copies.ts';

const IMPORT_LINE = /^[ \t]*(?:[-*] )?@\.\/(?<path>\S+?)(?:#\S*)?[ \t]*$/gm;

const NO_TEXT = /^[ \t]*(?:#{1,6}(?: .*)?|<!--.*-->)?[ \t]*$/;

/**
 * Merges identical files, and files that only import another one. Removes the import of a file that becomes another
 * rule, because a sync writes that rule separately.
 */
export function mergeProse(found: readonly Found[]): Found[] {
  const prose = new Map(found.flatMap((one) => (isProse(one) ? [[one.path, one] as const] : [])));
  const resolved = found.flatMap((one): Found[] =>
    isProse(one) ? resolveImports(one, prose, []) : [one],
  );
  // The file with the text comes before those that import it, so that it is used.
  const isCopy = (one: Found): boolean => isProse(one) && one.imports_all === true;
  return sharingNames([
    ...resolved.filter((one) => !isCopy(one)),
    ...resolved.filter((one) => isCopy(one)),
  ]);
}

function isProse(one: Found): one is Candidate {
  return one.kind === 'candidate' && one.is_prose === true;
}

/** Replaces a file that contains only imports by the imported ones. In a cycle, the last file keeps its import. */
function resolveImports(
  one: Candidate,
  prose: ReadonlyMap<string, Candidate>,
  importers: readonly Candidate[],
): Candidate[] {
  const imported = new Set<Candidate>();
  const body = one.body.replaceAll(IMPORT_LINE, (line: string, path: string) => {
    const other = prose.get(path);
    if (other === undefined || importers.includes(other)) return line;
    if (other !== one) {
      for (const each of resolveImports(other, prose, [...importers, one])) imported.add(each);
    }
    return '';
  });
  if (body === one.body) return [one];
  const hasText = body.split('\n').some((line) => !NO_TEXT.test(line));
  if (!hasText && imported.size > 0) return [...imported].map((other) => copyOf(other, one));
  const changes = [...imported].map(
    ({ path, name }) => `the import of ${path} is left out, because that file is the rule ${name}`,
  );
  return [{ ...one, body, changes: [...one.changes, ...changes] }];
}

function copyOf(other: Candidate, { path, harnesses, sources }: Candidate): Candidate {
  return { ...other, path, harnesses, sources, imports_all: true };
}

const COMMON_NAME = 'agents-md';

/** Gives identical files the name of AGENTS.md, or of the first file. */
function sharingNames(found: readonly Found[]): Found[] {
  const names = new Map<string, string>();
  for (const one of found) {
    if (!isProse(one)) continue;
    const text = normalizeWhitespace(one.body);
    if (!names.has(text) || one.name === COMMON_NAME) names.set(text, one.name);
  }
  return found.map((one) => {
    return isProse(one)
      ? { ...one, name: names.get(normalizeWhitespace(one.body)) ?? one.name }
      : one;
  });
}
