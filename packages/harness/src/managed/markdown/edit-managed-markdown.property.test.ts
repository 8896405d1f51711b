import { arbitraryMarkdown } from '@catalog/testkit/arbitrary-markdown';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ManagedEntry } from '../../adapter.ts';
import type { OwnedFile } from '../managed-file.ts';
import { editManagedFile } from '../edit-managed-file.ts';
import { editManagedMarkdown } from './edit-managed-markdown.ts';

/** State of a file; `mine` is its content without any edit of catalog. */
interface EditState {
  mine: string | undefined;
  shared: string | undefined;
  owned: OwnedFile | undefined;
  wanted: { a: ManagedEntry[]; b: ManagedEntry[] };
  edits: number;
}

type EditStep =
  | { kind: 'sync'; owner: 'a' | 'b'; desired: ManagedEntry[]; forgets: boolean }
  | { kind: 'insert'; pick: number; text: string }
  | { kind: 'append'; text: string }
  | { kind: 'edit-ours' };

const OURS = 'as-we-say';

const rule = fc
  .record({
    id: fc.constantFrom('ops/a', 'ops/b', 'x--> y', 'é'),
    text: fc.oneof(
      fc.constantFrom('', '\n', 'one\r\ntwo\n', '```\nopen', '~~~\ncode\n~~~'),
      fc.constantFrom('<!-- catalog:end:ops/a -->', 'a\n <!-- catalog:begin:ops/b --> \nb'),
      arbitraryMarkdown,
      fc.string({ unit: 'binary', maxLength: 10 }),
    ),
  })
  .map(({ id, text }): ManagedEntry => ({
    shape: 'block',
    recorded: 'file',
    container: [],
    key: id,
    artifact_id: id,
    value: `${OURS}\n${text}`,
  }));

const turn: fc.Arbitrary<EditStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sync' as const),
      owner: fc.constantFrom('a' as const, 'b' as const),
      desired: fc.uniqueArray(rule, { selector: ({ key }) => key, maxLength: 3 }),
      forgets: fc.boolean(),
    }),
  },
  fc.record({
    kind: fc.constant('insert' as const),
    pick: fc.nat(),
    text: fc.constantFrom('\n', 'new', '# new\n\n', '  ', '- é'),
  }),
  fc.record({
    kind: fc.constant('append' as const),
    text: fc.constantFrom('\n', '\nmore', '\n\nmore\n'),
  }),
  fc.record({ kind: fc.constant('edit-ours' as const) }),
);

const file = fc.option(arbitraryMarkdown, { nil: undefined, freq: 10 });

test("removing all blocks restores the user's file after any sequence of edits by two owners", () => {
  let edits = 0;
  fc.assert(
    fc.property(file, fc.array(turn, { maxLength: 10 }), (mine, turns) => {
      const bench: EditState = {
        mine,
        shared: mine,
        owned: undefined,
        wanted: { a: [], b: [] },
        edits: 0,
      };
      for (const next of turns) {
        applyStep(bench, next);
        const removed = editManagedMarkdown(bench.shared, [], bench.owned, 'AGENTS.md');
        expect(removed.text).toBe(bench.mine);
        expect(removed.owned).toBeUndefined();
      }
      edits += bench.edits;
    }),
    { numRuns: 500 },
  );
  expect(edits).toBeGreaterThan(100);
});

function applyStep(bench: EditState, next: EditStep): void {
  switch (next.kind) {
    case 'sync':
      sync(bench, next.owner, next.desired, next.forgets);
      return;
    case 'edit-ours':
      bench.shared = bench.shared?.replace(OURS, 'edited\n\n```\nby them');
      return;
    case 'append':
      if (bench.mine === undefined || bench.shared === undefined) return;
      bench.mine += next.text;
      bench.shared += next.text;
      return;
    case 'insert':
      insert(bench, next.pick, next.text);
      return;
  }
}

/** Runs a sync that keeps the blocks of the other owner. If the lock is lost, the markers restore it. */
function sync(
  bench: EditState,
  owner: 'a' | 'b',
  desired: readonly ManagedEntry[],
  forgets: boolean,
): void {
  const other = owner === 'a' ? 'b' : 'a';
  const others = new Set(bench.wanted[other].map(({ key }) => key));
  const wanted = forgets ? bench.wanted[owner] : desired.filter(({ key }) => !others.has(key));
  const kept = bench.owned?.entries.filter(({ key }) => others.has(key)) ?? [];
  const left =
    forgets && bench.owned !== undefined ? { ...bench.owned, entries: kept } : bench.owned;
  const edit = editManagedFile(bench.shared, wanted, left, 'AGENTS.md', kept, () => forgets);
  expect(edit.changed).toBe(edit.text !== bench.shared);
  const owned = structuredClone(edit.owned);
  const again = editManagedMarkdown(edit.text, wanted, owned, 'AGENTS.md', kept);
  expect(again).toEqual({ text: edit.text, owned, changed: false });
  for (const { key } of [...wanted, ...bench.wanted[other]]) {
    const marker = `<!-- catalog:begin:${encodeURIComponent(key).replaceAll('%2F', '/')}`;
    expect(edit.text?.split(marker.replace('--%3E', '-%2D%3E'))).toHaveLength(2);
  }
  bench.shared = edit.text;
  bench.owned = owned;
  bench.wanted[owner] = wanted;
}

function insert(bench: EditState, pick: number, text: string): void {
  if (bench.mine === undefined || bench.shared === undefined) return;
  let common = 0;
  while (common < bench.mine.length && bench.mine[common] === bench.shared[common]) common += 1;
  // The line breaks before a block belong to it, so the user's text ends before them.
  const userLength = bench.mine.slice(0, common).trimEnd().length;
  const start = bench.mine.startsWith('\uFEFF') ? 1 : 0;
  if (userLength <= start) return;
  const offset = start + (pick % (userLength - start));
  if (/[`~]|catalog/.test(lineAt(bench.mine, offset)) || isPair(bench.mine, offset)) return;
  bench.mine = bench.mine.slice(0, offset) + text + bench.mine.slice(offset);
  bench.shared = bench.shared.slice(0, offset) + text + bench.shared.slice(offset);
  bench.edits += 1;
}

function lineAt(text: string, offset: number): string {
  const before =
    text
      .slice(0, offset)
      .split(/[\r\n]/)
      .at(-1) ?? '';
  return before + (text.slice(offset).split(/[\r\n]/)[0] ?? '');
}

function isPair(text: string, offset: number): boolean {
  return /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])/.test(text.slice(offset - 1, offset + 1));
}
