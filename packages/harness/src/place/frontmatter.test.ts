import { readManifest } from '@catalog/core/manifest/read-manifest';
import type { Manifest } from '@catalog/core/artifact/types';
import { describe, expect, test } from 'vitest';
import { addKey, renameDocument, splitDocument } from './frontmatter.ts';

function read(text: string): Manifest {
  const reading = readManifest(new TextEncoder().encode(text), {
    file: 'a/SKILL.md',
    artifact_id: 'a',
    layer: 'base',
  });
  if (reading.kind === 'refused') throw new Error(reading.problems[0]?.message);
  return reading.manifest;
}

describe('addKey', () => {
  test.each([
    ['---\nname: a\n---\nBody\n---\n', '---\nname: a\nk: "v: 1"\n---\nBody\n---\n'],
    ['---\r\nname: a\r\n---\r\nBody', '---\r\nname: a\r\nk: "v: 1"\r\n---\r\nBody'],
    ['\uFEFF---\nname: a\n---', '\uFEFF---\nname: a\nk: "v: 1"\n---'],
    ['---\n\n# first\n  name: a\n---\n', '---\n\n# first\n  name: a\n  k: "v: 1"\n---\n'],
    ['---\nname: |\n  a ---\n---\n', '---\nname: |\n  a ---\nk: "v: 1"\n---\n'],
  ])('changes %j to %j', (text, expected) => {
    const { head, body } = splitDocument(read(text));
    const added = addKey(head, 'k', 'v: 1') + body;
    expect(added).toBe(expected);
    expect(read(added).values).toEqual({ ...read(text).values, k: 'v: 1' });
  });

  test('keeps frontmatter in braces unchanged', () => {
    const { head } = splitDocument(read('---\n# odd\n{name: a}\n---\nBody'));
    expect(addKey(head, 'k', 'v')).toBe(head);
  });
});

describe('renameDocument', () => {
  test.each([
    ['---\nname: check\n---\n', '---\nname: ops-check\n---\n'],
    ['---\nname: "check" # mine\n---\n', '---\nname: "ops-check" # mine\n---\n'],
    ["---\r\nname:   'check'\r\nx: 1\r\n---\r\n", "---\r\nname:   'ops-check'\r\nx: 1\r\n---\r\n"],
    [
      '---\nmetadata:\n  name: check\nname: check\n---\n',
      '---\nmetadata:\n  name: check\nname: ops-check\n---\n',
    ],
    ['---\n  name: check\n---\n', '---\n  name: ops-check\n---\n'],
    ['---\nname: other\nmy-name: check\n---\n', '---\nname: other\nmy-name: check\n---\n'],
    ['---\nname: check-all\n---\n', '---\nname: check-all\n---\n'],
  ])('changes %j to %j', (text, expected) => {
    const { head, body } = splitDocument(read(text));
    expect(renameDocument(head, 'check', 'ops-check') + body).toBe(expected);
  });

  test.each(["it's #1-check", '[a]-check', '- a-check', '*a-check', '%a-check', 'a {b}-check'])(
    'keeps YAML punctuation of a domain in the name: %s',
    (to) => {
      for (const name of ['check', '"check"', "'check'", 'check # mine']) {
        const { head } = splitDocument(read(`---\nname: ${name}\nx: 1\n---\n`));
        expect(read(renameDocument(head, 'check', to)).values).toEqual({ name: to, x: 1 });
      }
    },
  );
});
