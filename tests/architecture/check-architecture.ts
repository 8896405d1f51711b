import { listImports, resolveImport, type Import } from '../../tools/syntax/imports.ts';
import { lineAt, loadSource, type SourceFile } from '../../tools/syntax/source-file.ts';
import type { Finding, Rule } from './finding.ts';
import { findCycles } from './find-cycles.ts';
import { findImpurities } from './find-impurities.ts';
import {
  ALLOWED_BUILTINS,
  COMPUTED_IMPORTS,
  EMPTY_NAMES,
  IMPURE_CORE,
  IMPURE_CORE_READERS,
  packageRules,
} from './rules.ts';

/** The only folder outside of the packages that package tests may import: it starts real servers. */
const OPEN_TO_TESTS = 'tools/services/';

export interface PackageManifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

export interface SourceTree {
  files: ReadonlyMap<string, string>;
  /** Manifests by folder name of the package; the root manifest is under `.`. */
  manifests: ReadonlyMap<string, PackageManifest>;
}

export function checkArchitecture(tree: SourceTree): Finding[] {
  const findings: Finding[] = [];
  const graph = new Map<string, string[]>();
  for (const [path, text] of tree.files) {
    const source = loadSource(path, text);
    const imports = listImports(source);
    graph.set(
      path,
      imports.flatMap(({ specifier }) => (specifier && resolveImport(path, specifier)) ?? []),
    );
    findings.push(...checkName(source), ...checkComputed(source, imports));
    const place = placeOf(path);
    if (!place) continue;
    if (!packageRules[place.package]) {
      findings.push(finding('unknown-package', source, 0, `no rule for package ${place.package}`));
      continue;
    }
    for (const { specifier, start } of imports) {
      if (specifier === undefined) continue;
      const problem = checkImport(place, path, specifier, tree.manifests);
      if (problem) findings.push(finding(problem.rule, source, start, problem.message));
    }
    if (!place.test) findings.push(...findImpurities(source, place.pure));
  }
  for (const cycle of findCycles(graph)) {
    const message = `imports itself through ${cycle.join(' -> ')}`;
    findings.push({ rule: 'cycle', file: cycle[0] ?? '', line: 1, message });
  }
  return findings;
}

interface Place {
  package: string;
  test: boolean;
  pure: boolean;
}

/** Tests, and the conformance suites that every adapter of a port calls. */
const FOR_TESTS = /\.(?:test|conformance)\.tsx?$/;

function placeOf(path: string): Place | undefined {
  const name = /^packages\/([^/]+)\/src\//.exec(path)?.[1];
  if (name === undefined) return undefined;
  const rule = packageRules[name];
  return {
    package: name,
    test: FOR_TESTS.test(path) || rule?.for_tests === true,
    pure: rule?.pure === true && !path.startsWith(IMPURE_CORE),
  };
}

function checkImport(
  from: Place,
  path: string,
  specifier: string,
  manifests: SourceTree['manifests'],
): { rule: Rule; message: string } | undefined {
  if (specifier.startsWith('node:')) {
    if (!from.pure || from.test || ALLOWED_BUILTINS[path]?.includes(specifier)) return undefined;
    return { rule: 'impure', message: `a pure package imports ${specifier}` };
  }
  const target = resolveImport(path, specifier);
  if (target === undefined) return checkDeclared(from, packageNameOf(specifier), manifests);
  if (!from.test && FOR_TESTS.test(target)) {
    return { rule: 'arrow', message: `source imports the test ${target}` };
  }
  const to = placeOf(target);
  if (!to) {
    if (from.test && target.startsWith(OPEN_TO_TESTS)) return undefined;
    return { rule: 'arrow', message: `leaves its package for ${target}` };
  }
  if (target.startsWith(IMPURE_CORE) && !from.test && !path.startsWith(IMPURE_CORE)) {
    if (!IMPURE_CORE_READERS.has(from.package)) {
      return { rule: 'arrow', message: `${from.package} may not use the folder reader of core` };
    }
  }
  if (to.package === from.package) return undefined;
  if (specifier.startsWith('.')) {
    return { rule: 'arrow', message: `reaches into ${to.package} by a relative path` };
  }
  const allowed = packageRules[from.package]?.imports.includes(to.package) ?? false;
  if (!allowed && !(from.test && to.package === 'testkit')) {
    return { rule: 'arrow', message: `${from.package} may not import ${to.package}` };
  }
  return from.test ? undefined : checkDeclared(from, `@catalog/${to.package}`, manifests);
}

/** Returns the package of an import: `a/b` belongs to `a`, `@a/b/c` to `@a/b`. */
function packageNameOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function checkDeclared(
  from: Place,
  name: string,
  manifests: SourceTree['manifests'],
): { rule: Rule; message: string } | undefined {
  const own = manifests.get(from.package);
  const declared = { ...own?.dependencies };
  if (from.test || packageRules[from.package]?.bundled) {
    Object.assign(declared, own?.devDependencies);
  }
  if (from.test) Object.assign(declared, manifests.get('.')?.devDependencies);
  // Some packages contain only types; imports use their name without the scope.
  if (Object.hasOwn(declared, name) || Object.hasOwn(declared, `@types/${name}`)) return undefined;
  return { rule: 'undeclared', message: `${name} is not in packages/${from.package}/package.json` };
}

function checkName(source: SourceFile): Finding[] {
  const stem = (source.path.split('/').at(-1) ?? '').replace(/(?:\.test|\.d)?\.tsx?$/, '');
  const findings: Finding[] = [];
  if (EMPTY_NAMES.test(stem)) {
    findings.push(finding('name', source, 0, `"${stem}" does not say what is inside`));
  }
  if (!/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(stem)) {
    findings.push(finding('name', source, 0, `"${stem}" is not kebab-case`));
  }
  const { body } = source.program;
  const reexports = body.every(
    (statement) =>
      statement.type === 'ExportAllDeclaration' ||
      (statement.type === 'ExportNamedDeclaration' && statement.source !== null),
  );
  if (body.length > 0 && reexports) {
    findings.push(finding('barrel', source, 0, 'only re-exports what other files export'));
  }
  return findings;
}

function checkComputed(source: SourceFile, imports: readonly Import[]): Finding[] {
  if (COMPUTED_IMPORTS.has(source.path)) return [];
  return imports
    .filter((item) => item.specifier === undefined)
    .map((item) =>
      finding('computed-import', source, item.start, 'no reader can tell what this imports'),
    );
}

function finding(rule: Rule, source: SourceFile, start: number, message: string): Finding {
  return { rule, file: source.path, line: lineAt(source.text, start), message };
}
