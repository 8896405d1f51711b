import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Document, parseDocument, type Pair, visit, isScalar } from 'yaml';
import { locate, offsetOf, type ValuePath } from './locate.ts';
import { readManifest } from './read-manifest.ts';

const SOURCE = `# a comment
type: skill
"quoted key": 'a value'
tags: [deploy, "re lease", *a]
servers:
  - name: one
    env:
      A: 1
  - {name: two, args: [x, y]}
&a anchored: value
empty:
child:
  <<: {inherited: 1}
  own: 2
`;

function manifest() {
  const bytes = Buffer.from(`---\n${SOURCE.replace(', *a]', ']')}---\nBody.\n`);
  const reading = readManifest(bytes, { file: 'a/ARTIFACT.md', artifact_id: 'a', layer: 'l' });
  if (reading.kind === 'refused') throw new Error(reading.problems[0]?.message);
  return reading.manifest;
}

describe('locate', () => {
  test.each<[string, ValuePath, number, number, string]>([
    ['a key', ['type'], 3, 1, 'type: skill'],
    ['a quoted key', ['quoted key'], 4, 1, '"quoted key": \'a value\''],
    ['an item in flow style', ['tags', 0], 5, 8, 'tags: [deploy, "re lease"]'],
    ['a quoted item', ['tags', 1], 5, 16, 'tags: [deploy, "re lease"]'],
    ['a mapping in a list', ['servers', 0], 7, 5, '  - name: one'],
    ['a key further in', ['servers', 0, 'env', 'A'], 9, 7, '      A: 1'],
    ['a flow mapping in a list', ['servers', 1], 10, 5, '  - {name: two, args: [x, y]}'],
    ['an item in an item', ['servers', 1, 'args', 1], 10, 27, '  - {name: two, args: [x, y]}'],
    ['an anchored key', ['anchored'], 11, 1, '&a anchored: value'],
    ['a key without a value', ['empty'], 12, 1, 'empty:'],
    ['a key beside a merge', ['child', 'own'], 15, 3, '  own: 2'],
    ['a merged key, by what holds it', ['child', 'inherited'], 13, 1, 'child:'],
    [
      'a member that is not there, by what would hold it',
      ['servers', 0, 'env', 'B'],
      8,
      5,
      '    env:',
    ],
    ['an item that is not there', ['tags', 7], 5, 1, 'tags: [deploy, "re lease"]'],
    ['a member of a text', ['type', 'x'], 3, 1, 'type: skill'],
    ['an item of a mapping', ['child', 0], 13, 1, 'child:'],
    ['a member of a list', ['tags', 'x'], 5, 1, 'tags: [deploy, "re lease"]'],
    ['a key that is not there', ['nothing'], 1, 1, '---'],
    ['the whole', [], 1, 1, '---'],
  ])('finds %s', (_, path, line, column, excerpt) => {
    expect(locate(manifest(), path)).toEqual({ line, column, excerpt });
  });

  test('finds an alias at its asterisk', () => {
    expect(SOURCE.slice(offsetOf(SOURCE, ['tags', 2]))).toMatch(/^\*a\]/);
  });

  test('returns undefined for an empty document', () => {
    expect(offsetOf('', ['a'])).toBeUndefined();
  });

  test('returns the same positions as the yaml library', () => {
    const data = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('x', 'two words', '1.10', 'k: v', ' padded ', 'two\nlines\n', ''),
        fc.integer(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie('value'), {
          maxKeys: 3,
          noNullPrototype: true,
        }),
      ),
    })).value;
    const root = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), data, { noNullPrototype: true });
    fc.assert(
      fc.property(root, (values) => {
        const source = new Document(values, { aliasDuplicateObjects: false }).toString();
        visit(parseDocument(source), {
          Pair(_, pair, ancestors) {
            const path = [...pathOf(ancestors), keyOf(pair)];
            const start = isScalar(pair.key) ? pair.key.range?.[0] : undefined;
            expect(offsetOf(source, path)).toBe(start);
          },
        });
      }),
      { numRuns: 200 },
    );
  });
});

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

function pathOf(ancestors: readonly unknown[]): (string | number)[] {
  const path: (string | number)[] = [];
  for (const [index, node] of ancestors.entries()) {
    if (typeof node !== 'object' || node === null) continue;
    const next = ancestors[index + 1];
    if ('key' in node && 'value' in node)
      path.push(isScalar(node.key) ? String(node.key.value) : '');
    else if ('items' in node && Array.isArray(node.items) && next !== undefined) {
      const isSequence = !(typeof next === 'object' && next !== null && 'key' in next);
      if (isSequence) path.push(node.items.indexOf(next));
    }
  }
  return path;
}
