import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import type { ManagedEntry } from '../../adapter.ts';
import type { ManagedEdit, OwnedEntry, OwnedFile } from '../managed-file.ts';
import { editManagedMarkdown } from './edit-managed-markdown.ts';

const FILE = 'AGENTS.md';

function rule(id: string, value = `Do as ${id} says.`): ManagedEntry {
  return { shape: 'block', recorded: 'file', container: [], key: id, artifact_id: id, value };
}

function edit(
  text: string | undefined,
  desired: readonly ManagedEntry[],
  owned?: OwnedFile,
  kept?: readonly OwnedEntry[],
): ManagedEdit {
  return editManagedMarkdown(text, desired, owned, FILE, kept);
}

function refusal(text: string, desired: readonly ManagedEntry[] = []): CatalogError {
  try {
    edit(text, desired);
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

function expectThereAndBack(
  before: string | undefined,
  desired: readonly ManagedEntry[],
  after: string,
): void {
  const there = edit(before, desired);
  expect(there.text).toBe(after);
  expect(edit(there.text, desired, there.owned)).toEqual({ ...there, changed: false });
  const back = edit(there.text, [], there.owned);
  expect(back).toEqual({ text: before, owned: undefined, changed: true });
}

const OURS = '<!-- catalog:begin:ops/a -->\nDo as ops/a says.\n<!-- catalog:end:ops/a -->';

describe('position of a new block', () => {
  test.each<[before: string | undefined, after: string]>([
    [undefined, `${OURS}\n`],
    ['', `${OURS}\n`],
    ['\n', `${OURS}\n\n`],
    [' \n\t', `${OURS}\n \n\t`],
    ['\uFEFF', `\uFEFF${OURS}\n`],
    ['\uFEFF# Mine\n', `\uFEFF# Mine\n\n${OURS}\n`],
    ['# Mine\n', `# Mine\n\n${OURS}\n`],
    ['# Mine', `# Mine\n\n${OURS}`],
    ['# Mine\n\n\n', `# Mine\n\n${OURS}\n\n\n`],
    ['# Mine  \n', `# Mine  \n\n${OURS}\n`],
    ['# Mine\n   \n', `# Mine\n\n${OURS}\n   \n`],
    ['# Mine\r\n', `# Mine\r\n\r\n${OURS.replaceAll('\n', '\r\n')}\r\n`],
    ['# Mine\r', `# Mine\r\r${OURS.replaceAll('\n', '\r')}\r`],
    ['```\nnever closed', `\`\`\`\nnever closed\n\n${OURS}`],
  ])('appends the block and restores %j', (before, after) => {
    expectThereAndBack(before, [rule('ops/a')], after);
  });

  test('sorts new blocks by id', () => {
    const { text } = edit('# Mine\n', [rule('b', 'two'), rule('a', 'one')]);
    expect(text).toBe(
      '# Mine\n\n<!-- catalog:begin:a -->\none\n<!-- catalog:end:a -->\n\n<!-- catalog:begin:b -->\ntwo\n<!-- catalog:end:b -->\n',
    );
  });
});

verifies(['HE-04'], 'writes a rule between markers and keeps the text outside', () => {
  const mine = '# Mine\r\n\r\nText with two spaces  \r\n\ttab';
  const { text } = edit(mine, [rule('ops/a', 'Be kind.\nBe brief.\n')]);
  expect(text).toBe(
    `${mine}\r\n\r\n<!-- catalog:begin:ops/a -->\r\nBe kind.\r\nBe brief.\r\n<!-- catalog:end:ops/a -->`,
  );
});

verifies(['HE-05'], 'replaces a block in place and removes it with its rule', () => {
  const added = edit('# Mine\n', [rule('a'), rule('b')]);
  const text = `${added.text}\nMore of mine.\n`;
  const changed = edit(text, [rule('a', 'other'), rule('b')], added.owned);
  expect(changed.text).toBe(text.replace('Do as a says.', 'other'));
  expect(changed.text?.match(/catalog:begin:a /g)).toHaveLength(1);
  const fewer = edit(changed.text, [rule('b')], changed.owned);
  expect(fewer.text).toBe(
    '# Mine\n\n<!-- catalog:begin:b -->\nDo as b says.\n<!-- catalog:end:b -->\n\nMore of mine.\n',
  );
  expect(edit(fewer.text, [], fewer.owned).text).toBe('# Mine\n\nMore of mine.\n');
});

describe('ownership of blocks', () => {
  test('owns nothing by markers alone', () => {
    const { text } = edit('# Mine\n', [rule('a'), rule('b')]);
    expect(edit(text, [])).toMatchObject({ text, owned: undefined, changed: false });
  });

  test('keeps a block that this run does not manage', () => {
    const first = edit('# Mine\n', [rule('a'), rule('b')]);
    const kept = first.owned?.entries.filter(({ key }) => key === 'a') ?? [];
    const second = edit(first.text?.replace('as a', 'as A'), [rule('c')], first.owned, kept);
    expect(second.edited).toBeUndefined();
    expect(second.text).toContain('Do as A says.');
    expect(second.text).not.toContain('as b');
    expect(second.owned?.entries.map(({ key }) => key)).toEqual(['c', 'a']);
  });

  test('reports an edit inside a block only if the edit is lost', () => {
    const first = edit('# Mine\n', [rule('a')]);
    const text = first.text?.replace('Do as', 'Do not do as');
    expect(edit(text, [rule('a')], first.owned)).toMatchObject({ text: first.text, edited: true });
    expect(edit(text, [], first.owned)).toMatchObject({ text: '# Mine\n', edited: true });
    const same = edit(text, [rule('a', 'Do not do as a says.')], first.owned);
    expect(same).toMatchObject({ text, changed: false });
    expect(same.edited).toBeUndefined();
    expect(edit(first.text, [rule('a', 'new')], first.owned).edited).toBeUndefined();
  });

  test('keeps a created file with content of the user', () => {
    const { text, owned } = edit(undefined, [rule('a'), rule('b')]);
    expect(edit(`${text}\nMine.\n`, [], owned).text).toBe('\nMine.\n');
    expect(edit(`Mine.\n${text}`, [], owned).text).toBe('Mine.\n');
    expect(edit(text, [], owned).text).toBeUndefined();
    const one = edit(text, [rule('b')], owned);
    expect(one.text).toBe(edit(undefined, [rule('b')]).text);
    expect(edit(one.text, [], one.owned).text).toBeUndefined();
  });

  test('leaves a missing file missing if no blocks are desired', () => {
    expect(edit(undefined, [])).toEqual({ text: undefined, owned: undefined, changed: false });
    expect(edit('', [])).toEqual({ text: '', owned: undefined, changed: false });
  });

  test('rejects two artifacts with one id', () => {
    expect(() => edit('', [rule('a', '1'), rule('a', '2')])).toThrow(/would both be written/);
  });
});

describe('markers in fenced code', () => {
  test.each([
    `\`\`\`html\n${OURS}\n\`\`\`\n`,
    `~~~\n${OURS}\n\`\`\`\n~~~\n`,
    `  \`\`\`\`\n\`\`\`\n${OURS}\n\`\`\`\`\`\n`,
    '```\n<!-- catalog:begin:ops/a -->\n```\n',
    '```\n<!-- catalog:end:ops/a -->\n```\n',
    `    ${OURS.replaceAll('\n', '\n    ')}\n`,
    `\`\`\`\n${OURS}\n~~~\n${OURS}\n\`\`\`\n`,
  ])('stay text of the user in %j', (mine) => {
    expect(edit(mine, [])).toEqual({ text: mine, owned: undefined, changed: false });
    expectThereAndBack(mine, [rule('ops/a')], `${mine}\n${OURS}\n`);
  });

  test('require three characters and no backtick in the info string of a fence', () => {
    const { owned } = edit('# Mine\n', [rule('ops/a')]);
    for (const line of ['``', '~~', '```a`', '    ```', 'x ```']) {
      const text = `${line}\n\n${OURS}\n\n\`\`\`\n`;
      expect(edit(text, [], owned).text).toBe(`${line}\n\n\`\`\`\n`);
    }
  });

  test('stay owned if the user puts a fence around an owned block', () => {
    const { text, owned } = edit('# Mine\n', [rule('ops/a')]);
    const fenced = text?.replace(OURS, `\`\`\`\n${OURS}\n\`\`\``);
    expect(edit(fenced, [rule('ops/a')], owned)).toMatchObject({ changed: false });
    expect(edit(fenced, [], owned).text).not.toContain('catalog:');
  });

  test('stay owned after a fence that the user did not close', () => {
    const value = 'Like so:\n\n```\ncode\n```';
    const { text, owned } = edit('```\nmine\n', [rule('a', value), rule('b', value)]);
    expect(edit(text, [rule('a', value), rule('b', value)], owned).changed).toBe(false);
    expect(edit(text, [], owned).text).toBe('```\nmine\n');
  });

  test('are parsed quickly with many fences that are never closed', () => {
    const mine = '```a\n~~~b\n'.repeat(50_000);
    expect(edit(mine, []).changed).toBe(false);
  });
});

describe('untrusted block text', () => {
  test('cannot end its block with marker lines', () => {
    const value = 'One\n<!-- catalog:end:a -->\nTwo\n  <!-- catalog:begin:b -->  \nThree';
    const first = edit('# Mine\n', [rule('a', value)]);
    expect(first.text).toContain(
      'One\n<!-- catalog: end:a -->\nTwo\n  <!-- catalog: begin:b -->  ',
    );
    expect(edit(first.text, [rule('a', value)], first.owned).changed).toBe(false);
    expect(edit(first.text, [], first.owned).text).toBe('# Mine\n');
  });

  test('cannot include the following text in an open fence', () => {
    const { text } = edit('', [rule('a', 'Like so:\n~~~~js\ncode()')]);
    expect(text).toContain('code()\n~~~~\n<!-- catalog:end:a -->\n');
  });

  test('cannot introduce other line breaks or unpaired surrogates', () => {
    const first = edit('# Mine\r\n', [rule('a', 'one\ntwo\rthree\r\n\ud800')]);
    expect(first.text).toContain('one\r\ntwo\r\nthree\r\n\ufffd\r\n');
    expect(edit(first.text, [rule('a', 'one\ntwo\nthree\n\ufffd')], first.owned).changed).toBe(
      false,
    );
  });

  test.each(['a--b', 'a --> b', '-->', '%', '%2D', '---', 'é "x"', 'a:b', '__proto__'])(
    'cannot end its marker with the id %j',
    (id) => {
      const there = edit('# Mine\n', [rule(id)]);
      expect(there.text).toMatch(/\n<!-- catalog:begin:(?:(?!--|>)\S)+ -->\n/);
      expect(edit(there.text, [rule(id)], there.owned).changed).toBe(false);
      expect(edit(there.text, [], there.owned).text).toBe('# Mine\n');
    },
  );
});

describe('unbalanced markers', () => {
  const begin = '<!-- catalog:begin:a -->';
  const end = '<!-- catalog:end:a -->';
  test.each<[text: string, line: number, problem: RegExp]>([
    [`x\n${begin}\ny\n`, 2, /begins the block of a, which has no end/],
    [`x\r\ny\r\n${end}\r\n`, 3, /ends a block of a that has not begun/],
    [`${begin}\n${begin}\n${end}\n${end}`, 1, /begins the block of a, which has no end/],
    [`${begin}\n<!-- catalog:begin:b -->\n<!-- catalog:end:b -->\n${end}`, 1, /no end of its own/],
    [`${begin}\n<!-- catalog:end:b -->`, 1, /no end of its own/],
    [`${begin}\n${end}\n\n${begin}\n${end}\n`, 4, /begins a second block of a/],
  ])('are rejected with their line: %j', (text, line, problem) => {
    const error = refusal(text, [rule('c')]);
    expect(error.code).toBe('materialize.target_invalid');
    expect(error.message).toMatch(problem);
    expect(error.message).toMatch(new RegExp(`^AGENTS\\.md:${line}:1 `));
  });

  test('are rejected with the line to restore', () => {
    expect(refusal(`x\n${begin}\ny\n`, [rule('c')]).suggested_action).toContain(
      `Put this line back behind its last line: ${end} `,
    );
    expect(refusal(`x\n${end}\n`, [rule('c')]).suggested_action).toContain(
      `Put this line back before its first line: ${begin} `,
    );
  });
});
