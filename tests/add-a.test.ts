import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { copyTree } from '../tools/mutation/copy-tree.ts';
import { EXAMPLES } from './add-a/examples.ts';

const ROOT = join(import.meta.dirname, '..');
const PATCHES = join(import.meta.dirname, 'add-a/patches');

const MAX_ENDPOINT_FILES = 5;
const MAX_TABLE_FILES = 9;

const page = readFileSync(join(ROOT, 'docs/add-a.md'), 'utf8');
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

/** Files in the table of a section; `<name>` is a placeholder for a part of a path. */
function filesOnPage(heading: string): string[] {
  const rows = (sections.get(heading) ?? '').matchAll(/^\| `([^`]+)`/gm);
  return [...rows].map(([, path = '']) => path);
}

function filesInPatch(name: string): string[] {
  const patch = readFileSync(join(PATCHES, `${name}.patch`), 'utf8');
  return [...patch.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => path);
}

/** Returns the path on the page for a file; of several matches, the most specific one wins. */
function pathOnPage(file: string, paths: readonly string[]): string {
  const matching = paths.filter((path) => toPattern(path).test(file));
  return (
    matching.toSorted((one, other) => literalLength(other) - literalLength(one))[0] ??
    `missing: ${file}`
  );
}

const PLACEHOLDER = /<[^>]+>/g;

function toPattern(path: string): RegExp {
  const literal = path.replaceAll('.', String.raw`\.`);
  return new RegExp(`^${literal.replaceAll(PLACEHOLDER, '[^/]+')}$`);
}

function literalLength(path: string): number {
  return path.replaceAll(PLACEHOLDER, '').length;
}

describe('docs/add-a.md', () => {
  test('has one section for each example and one example for each section', () => {
    expect([...sections.keys()]).toEqual(EXAMPLES.map(({ heading }) => heading));
    const patches = EXAMPLES.map(({ patch }) => `${patch}.patch`);
    expect(readdirSync(PATCHES).toSorted()).toEqual(patches.toSorted());
  });

  test.each(EXAMPLES)('lists exactly the files that the patch changes: $heading', (example) => {
    const { heading, patch } = example;
    const paths = filesOnPage(heading);
    const files = filesInPatch(patch);
    expect(sections.get(heading)).toContain(`(../tests/add-a/patches/${patch}.patch)`);
    expect(files.map((file) => pathOnPage(file, paths)).toSorted()).toEqual(paths.toSorted());
  });

  test(`an endpoint needs at most ${MAX_ENDPOINT_FILES} files`, () => {
    expect(filesInPatch('endpoint').length).toBeLessThanOrEqual(MAX_ENDPOINT_FILES);
  });

  test(`a plain table needs at most ${MAX_TABLE_FILES} files`, () => {
    expect(filesInPatch('table').length).toBeLessThanOrEqual(MAX_TABLE_FILES);
  });
});

test('the patches apply, compile and pass their tests', { timeout: 600_000 }, async () => {
  const copy = copyTree(ROOT);
  onTestFinished(() => rm(copy, { recursive: true, force: true }), 60_000);
  const patches = EXAMPLES.map(({ patch }) => join(PATCHES, `${patch}.patch`));
  await run(copy, 'git', 'apply', '-C1', ...patches);
  await run(copy, 'tsc', '-p', 'tsconfig.node.json');
  await run(copy, process.execPath, '--conditions=@catalog/source', 'tools/docs.ts');
  const tests = EXAMPLES.flatMap((example) => example.tests);
  await run(copy, 'vitest', 'run', '--config', 'tests/add-a/vitest.config.ts', ...tests);
});

/** Writes golden files instead of comparing them, because they are generated. */
async function run(copy: string, program: string, ...words: string[]): Promise<void> {
  const path = [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH: path, CATALOG_GOLDEN: 'write', NO_COLOR: '1' };
  const child = spawn(program, words, { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => output.push(part));
  }
  const [exit] = await once(child, 'close');
  expect(exit, `${program} ${words.join(' ')}\n${output.join('')}`).toBe(0);
}
