import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSources } from '../tools/syntax/load-sources.ts';
import { loadSource } from '../tools/syntax/source-file.ts';

const ROOT = join(import.meta.dirname, '..');
const PACKAGES = loadSources(ROOT, ['packages'], ['.ts', '.tsx']);
const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

/** Files with a folder that `docs/architecture.md` names, and the SDK. */
const documented = [...PACKAGES.keys()].filter(
  (path) =>
    (path.startsWith('packages/sdk/src/') && !path.endsWith('.test.ts')) ||
    [...page.matchAll(/`([a-z][\w/.-]+\/[\w.-]+\.tsx?)`/g)].some(([, name = '']) =>
      path.endsWith(`/${name}`),
    ),
);

/** Lists the exported declarations without a doc comment; overloads share the first one's. */
function listUndocumented(path: string): string[] {
  const text = PACKAGES.get(path) ?? '';
  const { program, comments } = loadSource(path, text);
  const documentedNames = new Set<string>();
  return program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || node.declaration === null) return [];
    const { declaration } = node;
    const id =
      declaration.type === 'VariableDeclaration' ? declaration.declarations[0]?.id : declaration.id;
    const name = id?.type === 'Identifier' ? id.name : '';
    const hasComment = comments.some(
      ({ type, value, end }) =>
        type === 'Block' && value.startsWith('*') && text.slice(end, node.start).trim() === '',
    );
    if (hasComment) documentedNames.add(name);
    return documentedNames.has(name) ? [] : [`${path}: ${name}`];
  });
}

describe('exports of the files in docs/architecture.md and of the SDK', () => {
  test('have a doc comment', () => {
    expect(documented.length).toBeGreaterThan(60);
    expect(documented.flatMap(listUndocumented)).toEqual([]);
  });
});
