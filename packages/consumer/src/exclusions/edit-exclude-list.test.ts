import { describe, expect, test } from 'vitest';
import { addToExclude, removeFromExclude, type ExcludeEdit } from './edit-exclude-list.ts';

const FILE = '/work/.catalog/sync.yaml';

function textOf(edit: ExcludeEdit): string {
  if (edit.kind === 'edited') return edit.text;
  throw new Error(edit.reason);
}

describe('adding an id and removing it again', () => {
  test.each<[layout: string, before: string, after: string]>([
    [
      'comments, quotes and order stay',
      '# ours\ndefaults:\n  registry: "./r" # here\n  harness: [claude-code,   cursor]\n\n# selections\nprofiles:\n  web: {include: [\'web/**\']}\n',
      '# ours\ndefaults:\n  registry: "./r" # here\n  harness: [claude-code,   cursor]\n  exclude:\n    - ops/check\n\n# selections\nprofiles:\n  web: {include: [\'web/**\']}\n',
    ],
    [
      'CRLF, no line break at the end',
      'defaults:\r\n  registry: ./r\r\n# end',
      'defaults:\r\n  registry: ./r\r\n  exclude:\r\n    - ops/check\r\n# end',
    ],
    [
      'a byte order mark and deep indentation',
      '\uFEFFdefaults:\n    registry: ./r\n',
      '\uFEFFdefaults:\n    registry: ./r\n    exclude:\n        - ops/check\n',
    ],
    [
      'a list that has entries',
      "defaults:\n  exclude:\n  - 'web/**' # not here\n  registry: ./r\n",
      "defaults:\n  exclude:\n  - 'web/**' # not here\n  - ops/check\n  registry: ./r\n",
    ],
    [
      'a list on one line',
      'defaults:\n  exclude: ["web/**"]   # not here\n',
      'defaults:\n  exclude: ["web/**", ops/check]   # not here\n',
    ],
    [
      'everything on one line',
      'defaults: {registry: ./r}\n',
      'defaults: {registry: ./r, exclude: [ops/check]}\n',
    ],
    [
      'no defaults',
      'targets:\n  - id: here\n    exclude: [web/forms]\n',
      'targets:\n  - id: here\n    exclude: [web/forms]\ndefaults:\n  exclude:\n    - ops/check\n',
    ],
    ['only a comment', '# later\n', '# later\ndefaults:\n  exclude:\n    - ops/check\n'],
  ])('restores the file: %s', (_layout, before, after) => {
    expect(textOf(addToExclude(before, ['ops/check'], FILE))).toBe(after);
    expect(textOf(addToExclude(after, ['ops/check'], FILE))).toBe(after);
    expect(textOf(removeFromExclude(after, ['ops/check'], FILE))).toBe(before);
  });
});

test.each([undefined, ''])('adds the list to an empty file (%j) and removes it again', (before) => {
  expect(textOf(addToExclude(before, ['ops/check', 'yes'], FILE))).toBe(
    'defaults:\n  exclude:\n    - ops/check\n    - "yes"\n',
  );
  expect(textOf(removeFromExclude('defaults:\n  exclude: [a/b]\n', ['a/b'], FILE)).trim()).toBe('');
});

test('removeFromExclude removes only the named ids, in any notation and including duplicates', () => {
  const text =
    'defaults:\n  exclude:\n    - "ops/check" # noisy\n    - ops/*\n    - ops/ship\n    - ops/check\n';
  expect(textOf(removeFromExclude(text, ['ops/check', 'web/forms'], FILE))).toBe(
    'defaults:\n  exclude:\n    - ops/*\n    - ops/ship\n',
  );
  expect(textOf(removeFromExclude(text, ['ops/log'], FILE))).toBe(text);
});

describe('rejects an edit that would change other content', () => {
  test.each([
    ['an anchor', 'defaults: &shared\n  registry: ./r\n'],
    ['an alias', 'profiles:\n  a: &list {exclude: [web/a]}\ndefaults: *list\n'],
    ['a merge key', 'profiles:\n  a: &list {exclude: [web/a]}\ndefaults:\n  <<: *list\n'],
  ])('rejects %s on the path to the list', (_what, text) => {
    expect(addToExclude(text, ['ops/check'], FILE)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/\S/),
    });
  });

  test('rejects an edit that would leave only a comment in the list', () => {
    const text = 'defaults:\n  registry: ./r\n  exclude:\n    # noisy in CI\n    - ops/check\n';
    expect(removeFromExclude(text, ['ops/check'], FILE)).toMatchObject({ kind: 'refused' });
  });
});
