import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSources } from '../tools/syntax/load-sources.ts';
import { checkArchitecture, type PackageManifest } from './architecture/check-architecture.ts';
import { findRowTypes } from './architecture/find-row-types.ts';
import type { Rule } from './architecture/finding.ts';
import { packageRules } from './architecture/rules.ts';

const ROOT = join(import.meta.dirname, '..');

function loadManifests(): Map<string, PackageManifest> {
  const folders = readdirSync(join(ROOT, 'packages')).map((name) => [name, `packages/${name}`]);
  return new Map(
    [['.', '.'], ...folders].map(([name = '', folder = '']) => [
      name,
      JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')),
    ]),
  );
}

test('the repository keeps to its architecture', () => {
  const files = loadSources(ROOT, ['packages', 'tests', 'tools', 'bench']);
  expect(files.size).toBeGreaterThan(50);
  const findings = checkArchitecture({ files, manifests: loadManifests() });
  const lines = findings.map(
    ({ rule, file, line, message }) => `${file}:${line} ${rule}: ${message}`,
  );
  expect(lines).toEqual([]);
});

test('docs/architecture.md names only files and directories that exist', () => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const named = [...page.matchAll(/`((?:[a-z]+\/src|tests|bench|docs)\/[\w./-]+)`/g)].map(
    ([, path = '']) => (path.includes('/src/') ? `packages/${path}` : path),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('docs/architecture.md describes every package and shows what imports it', () => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const [, section = ''] = /^## Packages\n([\s\S]*?)^### /m.exec(page) ?? [];
  const described = [...section.matchAll(/^\| `([\w/]+)`/gm)].map(([, name = '']) => name);
  const packages = readdirSync(join(ROOT, 'packages'));
  expect(described.filter((name) => name !== 'core/node').toSorted()).toEqual(packages.toSorted());
  expect(Object.keys(packageRules).toSorted()).toEqual(packages.toSorted());
  const [, arrows = ''] = section.split('```');
  const drawn = new Set(arrows.match(/\w+/g));
  const published = packages.filter((name) => packageRules[name]?.for_tests !== true);
  expect(published.filter((name) => !drawn.has(name))).toEqual([]);
});

test('only trust/ marks effects as approved', () => {
  const marks = /import \{[^}]*\bapprove\b[^}]*\} from '[^']*\/approved(?:\.ts)?'/;
  const files = loadSources(ROOT, ['packages']);
  const outside = [...files].filter(
    ([path, text]) =>
      marks.test(text) &&
      !path.startsWith('packages/consumer/src/trust/') &&
      !path.endsWith('.test.ts'),
  );
  expect(outside.map(([path]) => path)).toEqual([]);
});

test('the type of a row is declared with the SQL that returns it', () => {
  const files = loadSources(ROOT, ['packages/server/src/adapters/store']);
  const sources = [...files].filter(([path]) => !path.endsWith('.test.ts'));
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap(([path, text]) => findRowTypes(path, text))).toEqual([]);
  const separateConstant =
    "const GET: string = 'SELECT 1 AS one'; queries.row<{ one: number }>(GET);";
  expect(findRowTypes('a.ts', separateConstant)).toEqual(['a.ts:1']);
  expect(findRowTypes('a.ts', "queries.row<{ one: number }>('SELECT 1 AS one');")).toEqual([]);
});

const manifests = new Map<string, PackageManifest>([
  ['.', { devDependencies: { vitest: '1' } }],
  ['contract', { dependencies: { zod: '1' } }],
  ['core', { dependencies: { '@catalog/contract': '1', yaml: '1' } }],
  ['harness', { dependencies: { '@catalog/core': '1' }, devDependencies: { '@scope/dev': '1' } }],
  ['consumer', { dependencies: { '@catalog/core': '1' } }],
  ['cli', { devDependencies: { '@catalog/consumer': '1', yaml: '1' } }],
]);

const CORE = 'packages/core/src/a.ts';
const CONSUMER = 'packages/consumer/src/a.ts';

/** Planted violations with the one finding that each must cause; undefined if the code is allowed. */
const planted: [title: string, files: Record<string, string>, rule: Rule | undefined][] = [
  ['core importing contract', { [CORE]: "import { x } from '@catalog/contract/x';" }, undefined],
  ['core importing harness', { [CORE]: "import { x } from '@catalog/harness/x';" }, 'arrow'],
  ['a type of harness in core', { [CORE]: "let x: import('@catalog/harness/x').T;" }, 'arrow'],
  [
    'a re-export of harness in core',
    { [CORE]: "export { x } from '@catalog/harness/x'; x();" },
    'arrow',
  ],
  ['a lazy import of harness in core', { [CORE]: "void import('@catalog/harness/x');" }, 'arrow'],
  ['another package by a relative path', { [CORE]: "import '../../contract/src/x.ts';" }, 'arrow'],
  ['a file outside the packages', { [CORE]: "import '../../../tools/x.ts';" }, 'arrow'],
  ['source importing a test', { [CORE]: "import './x.test.ts';" }, 'arrow'],
  ['source importing a conformance suite', { [CORE]: "import './x.conformance.ts';" }, 'arrow'],
  [
    'a test tool in a conformance suite',
    { 'packages/core/src/x.conformance.ts': "import 'vitest'; import 'node:fs';" },
    undefined,
  ],
  ['a test tool in testkit', { 'packages/testkit/src/a.ts': "import 'vitest';" }, undefined],
  ['source importing testkit', { [CONSUMER]: "import '@catalog/testkit/x';" }, 'arrow'],
  [
    'a test importing testkit and a test server',
    {
      'packages/core/src/a.test.ts':
        "import '@catalog/testkit/x'; import '../../../tools/services/x.ts'; import 'vitest';",
    },
    undefined,
  ],
  [
    'a test importing from tests',
    { 'packages/core/src/a.test.ts': "import '../../../tests/requirements/x.ts';" },
    'arrow',
  ],
  [
    'a test importing from bench',
    { 'packages/core/src/a.test.ts': "import '../../../bench/x.ts';" },
    'arrow',
  ],
  [
    'a test importing a wrong package',
    { 'packages/core/src/a.test.ts': "import '@catalog/cli/x';" },
    'arrow',
  ],
  [
    'harness reading folders',
    { 'packages/harness/src/a.ts': "import '@catalog/core/node/x';" },
    'arrow',
  ],
  ['core itself reading folders', { [CORE]: "import './node/x.ts';" }, 'arrow'],
  ['consumer reading folders', { [CONSUMER]: "import '@catalog/core/node/x';" }, undefined],
  [
    'the folder reader in itself',
    { 'packages/core/src/node/a.ts': "import './x.ts'; import 'node:fs';" },
    undefined,
  ],

  ['an undeclared package', { [CORE]: "import 'left-pad';" }, 'undeclared'],
  ['an undeclared package by subpath', { [CORE]: "import '@scope/pad/x';" }, 'undeclared'],
  ['a declared package by subpath', { [CORE]: "import 'yaml/x';" }, undefined],
  [
    'an undeclared package of the workspace',
    { [CONSUMER]: "import '@catalog/harness/x';" },
    'undeclared',
  ],
  [
    'a development dependency in source',
    { 'packages/harness/src/a.ts': "import '@scope/dev';" },
    'undeclared',
  ],
  [
    'a development dependency in a test',
    { 'packages/harness/src/a.test.ts': "import '@scope/dev';" },
    undefined,
  ],
  [
    'a development dependency in the bundle',
    { 'packages/cli/src/a.ts': "import 'yaml';" },
    undefined,
  ],
  ['a test tool in source', { [CORE]: "import 'vitest';" }, 'undeclared'],

  [
    'a cycle of two files',
    { [CORE]: "import './b.ts'; 1;", 'packages/core/src/b.ts': "import './a.ts'; 1;" },
    'cycle',
  ],
  [
    'a cycle of types',
    {
      [CORE]: "import type { B } from './b.ts'; 1;",
      'packages/core/src/b.ts': "import type { A } from './a.ts'; 1;",
    },
    'cycle',
  ],
  ['a file that imports itself', { 'tools/a.ts': "import './a.ts'; 1;" }, 'cycle'],

  ['files in a pure package', { [CORE]: "import 'node:fs';" }, 'impure'],
  [
    'processes in a pure package',
    { 'packages/contract/src/a.ts': "import 'node:child_process';" },
    'impure',
  ],
  ['hashing outside its file', { [CORE]: "import { hash } from 'node:crypto';" }, 'impure'],
  [
    'hashing in its file',
    { 'packages/core/src/artifact/content-hash.ts': "import { hash } from 'node:crypto';" },
    undefined,
  ],
  [
    'files in a test of a pure package',
    { 'packages/core/src/a.test.ts': "import 'node:fs';" },
    undefined,
  ],
  ['the network in a pure package', { [CORE]: "await fetch('x');" }, 'impure'],
  ['a timer in a pure package', { [CORE]: 'setTimeout(() => 1, 1);' }, 'impure'],
  ['a log in a pure package', { [CORE]: "console.log('x');" }, 'impure'],
  ['the clock in a pure package', { [CORE]: 'export const x = Date.now();' }, 'impure'],
  ['a new date in a pure package', { [CORE]: 'export const x = new Date();' }, 'impure'],
  ['a given date in a pure package', { [CORE]: 'export const x = new Date(0);' }, undefined],
  ['chance in a pure package', { [CORE]: 'export const x = Math.random();' }, 'impure'],
  ['chance by another spelling', { [CORE]: "export const x = Math['random']();" }, 'impure'],
  [
    'members that share a name',
    { [CORE]: 'export const x = { fetch: 1 }; x.fetch; x.process;' },
    undefined,
  ],
  [
    'a binding that shares a name',
    { [CORE]: 'export function f(process: number) { return process; }' },
    undefined,
  ],
  [
    'a clock file in a pure package',
    { 'packages/core/src/clock.ts': 'export const x = Date.now();' },
    'impure',
  ],

  ['the clock in consumer', { [CONSUMER]: 'export const x = Date.now();' }, 'clock'],
  [
    'the clock in its file',
    { 'packages/consumer/src/clock.ts': 'export const x = Date.now();' },
    undefined,
  ],
  [
    'a stop watch in consumer',
    { [CONSUMER]: "import { performance } from 'node:perf_hooks'; performance.now();" },
    'clock',
  ],
  [
    'a random id in consumer',
    { [CONSUMER]: "import { randomUUID } from 'node:crypto'; randomUUID();" },
    'random',
  ],
  [
    'a random id in its file',
    { 'packages/consumer/src/id.ts': "import { randomUUID } from 'node:crypto'; randomUUID();" },
    undefined,
  ],
  [
    'a random number in a file for them',
    { 'packages/sdk/src/random.ts': 'export const x = Math.random();' },
    undefined,
  ],
  [
    'a random number in a clock file',
    { 'packages/sdk/src/clock.ts': 'export const x = Math.random();' },
    'random',
  ],
  [
    'the clock in a file for identifiers',
    { 'packages/consumer/src/id.ts': 'export const x = Date.now();' },
    'clock',
  ],

  [
    'the environment in consumer',
    { [CONSUMER]: "export const x = process.env['HOME'];" },
    'environment',
  ],
  [
    'the environment by import',
    { [CONSUMER]: "import { env } from 'node:process'; env;" },
    'environment',
  ],
  [
    'the environment at the entry',
    { 'packages/cli/src/bin.ts': 'export const x = process.env;' },
    undefined,
  ],

  ['a utils file', { 'packages/core/src/utils.ts': 'export const x = 1;' }, 'name'],
  ['a helpers file', { 'packages/core/src/string-helpers.ts': 'export const x = 1;' }, 'name'],
  ['a name in camel case', { 'packages/core/src/readFile.ts': 'export const x = 1;' }, 'name'],
  [
    'a barrel',
    { 'packages/core/src/index.ts': "export * from './a.ts'; export { b } from './b.ts';" },
    'barrel',
  ],
  [
    'an index that does something',
    { 'packages/core/src/index.ts': "export * from './a.ts'; export const x = 1;" },
    undefined,
  ],
  [
    'a computed import',
    { 'packages/cli/src/a.ts': 'declare const x: string; void import(x);' },
    'computed-import',
  ],
  [
    'a computed import by template',
    { 'packages/cli/src/a.ts': 'declare const x: string; void import(`./${x}.ts`);' },
    'computed-import',
  ],
  [
    "a computed import of the operator's modules",
    {
      'packages/server/src/plugins/load-plugins.ts': 'declare const x: string; void import(x);',
    },
    undefined,
  ],
  [
    'a package nobody drew',
    { 'packages/extra/src/a.ts': 'export const x = 1;' },
    'unknown-package',
  ],
];

describe('checkArchitecture', () => {
  test.each(planted)('reports exactly the expected finding: %s', (_, files, rule) => {
    const findings = checkArchitecture({ files: new Map(Object.entries(files)), manifests });
    expect(findings.map((finding) => finding.rule)).toEqual(rule === undefined ? [] : [rule]);
  });

  test('reports the file and the line', () => {
    const files = new Map([[CORE, 'export const a = 1;\n\nexport const b = Date.now();\n']]);
    expect(checkArchitecture({ files, manifests })).toEqual([
      { rule: 'impure', file: CORE, line: 3, message: 'Date.now' },
    ]);
  });
});
