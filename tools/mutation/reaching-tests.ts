import { listImports, resolveImport } from '../syntax/imports.ts';
import { loadSource } from '../syntax/source-file.ts';

/** Direct and indirect imports, nearest first. Ignores imports of types, which have no behavior. */
export function reachingTests(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [path, text] of files) {
    for (const { specifier, type_only } of listImports(loadSource(path, text))) {
      const target = specifier && !type_only ? resolveImport(path, specifier) : undefined;
      if (target === undefined || !files.has(target)) continue;
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  return new Map([...files.keys()].map((path) => [path, testsAbove(path, importers)]));
}

function testsAbove(path: string, importers: ReadonlyMap<string, readonly string[]>): string[] {
  const tests: string[] = [];
  const seen = new Set([path]);
  for (const current of seen) {
    if (current.endsWith('.test.ts')) tests.push(current);
    for (const importer of importers.get(current) ?? []) seen.add(importer);
  }
  return tests;
}
