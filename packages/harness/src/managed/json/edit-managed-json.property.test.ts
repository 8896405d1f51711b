import { arbitraryJsonc } from '@catalog/testkit/arbitrary-jsonc';
import * as fc from 'fast-check';
import { parseTree, type Node, type ParseError } from 'jsonc-parser';
import { expect, test } from 'vitest';
import type { ManagedEntry } from '../../adapter.ts';
import { canonicalJson } from '@catalog/core/canonical-json';
import type { OwnedFile } from '../managed-file.ts';
import { editManagedJson } from './edit-managed-json.ts';

/** State of a file; `mine` is its content without any edit of catalog. */
interface EditState {
  mine: string | undefined;
  shared: string | undefined;
  owned: OwnedFile | undefined;
  edits: number;
}

type EditStep =
  | { kind: 'sync'; desired: ManagedEntry[] }
  | { kind: 'change-value'; pick: number; text: string }
  | { kind: 'insert-before'; pick: number; text: string }
  | { kind: 'add-sibling'; pick: number }
  | { kind: 'delete'; pick: number }
  | { kind: 'append'; text: string }
  | { kind: 'edit-ours'; text: string };

const OURS = 'run-ours';

const hook = fc
  .record({
    event: fc.constantFrom('Stop', 'PreToolUse', 'SessionEnd'),
    id: fc.constantFrom('ops/a', 'ops/b', '__proto__'),
    version: fc.nat({ max: 2 }),
  })
  .map(({ event, id, version }): ManagedEntry => ({
    shape: 'array',
    recorded: 'file',
    container: ['hooks', event],
    key: id,
    artifact_id: id,
    value: {
      hooks: [{ type: 'command', command: `${OURS} ${version}` }],
      'x-catalog-id': id,
    },
  }));

const server = fc
  .record({
    name: fc.constantFrom('ours-1', 'ours-2', 'ours "3"'),
    version: fc.nat({ max: 2 }),
  })
  .map(({ name, version }): ManagedEntry => ({
    shape: 'map',
    recorded: 'file',
    container: ['mcpServers'],
    key: name,
    artifact_id: `tools/${name}`,
    value: { command: `${OURS} ${version}`, args: ['-y', 'server'] },
  }));

const desired = fc.uniqueArray(fc.oneof(hook, server), {
  selector: (entry) => canonicalJson([[...entry.container], entry.key]),
  maxLength: 5,
});

const trivia = fc.constantFrom(' ', '\n', '/* note */', '// note\n', '\t/* "a", */ ');
const turn: fc.Arbitrary<EditStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('sync' as const), desired }) },
  fc.record({
    kind: fc.constant('change-value' as const),
    pick: fc.nat(),
    text: fc.constantFrom('"changed"', '17', '[1, 2]', '{"k": {}}', 'null'),
  }),
  fc.record({ kind: fc.constant('insert-before' as const), pick: fc.nat(), text: trivia }),
  fc.record({ kind: fc.constant('add-sibling' as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }),
  fc.record({
    kind: fc.constant('append' as const),
    text: fc.constantFrom('\n', '\n// end\n', ' /* end */'),
  }),
  fc.record({
    kind: fc.constant('edit-ours' as const),
    text: fc.constantFrom('edited', '", "mine": "', '"/* mine */, "k": "'),
  }),
);

const file: fc.Arbitrary<string | undefined> = fc.option(arbitraryJsonc, {
  nil: undefined,
  freq: 10,
});

test("removing all entries restores the user's file after any sequence of edits", () => {
  let edits = 0;
  fc.assert(
    fc.property(file, fc.array(turn, { maxLength: 12 }), (mine, turns) => {
      const bench: EditState = { mine, shared: mine, owned: undefined, edits: 0 };
      for (const [index, next] of turns.entries()) {
        applyStep(bench, next, index);
        const removed = editManagedJson(bench.shared, [], bench.owned, 'settings.json');
        expect(removed.text).toBe(bench.mine);
        expect(removed.owned).toBeUndefined();
      }
      edits += bench.edits;
    }),
    { numRuns: 300 },
  );
  expect(edits).toBeGreaterThan(100);
});

test('keeps what a user writes between managed entries when they are added and removed', () => {
  const intrusion = fc.record({ pick: fc.nat(), behind: fc.boolean(), text: trivia });
  fc.assert(
    fc.property(
      file,
      desired,
      fc.array(intrusion, { maxLength: 4 }),
      desired,
      (mine, first, intrusions, second) => {
        const synced = editManagedJson(mine, first, undefined, 'settings.json');
        let text = synced.text;
        for (const [index, { pick, behind, text: note }] of intrusions.entries()) {
          text = text === undefined ? undefined : insertUserItem(text, pick, behind, note, index);
        }
        const edit = editManagedJson(text, second, synced.owned, 'settings.json');
        if (edit.text !== undefined) expectEntries(edit.text, second);
        expect(listUserHooks(edit.text)).toEqual(listUserHooks(text));
        const removed = editManagedJson(edit.text, [], edit.owned, 'settings.json');
        expect(listUserHooks(removed.text)).toEqual(listUserHooks(text));
      },
    ),
    { numRuns: 300 },
  );
});

function insertUserItem(
  text: string,
  pick: number,
  behind: boolean,
  note: string,
  index: number,
): string {
  const places = listSpots(text).filter(
    (spot) => spot.length === 3 && spot[0] === 'hooks' && text.includes('x-catalog-id'),
  );
  const spot = places[pick % Math.max(1, places.length)];
  const node = spot === undefined ? undefined : nodeAt(text, spot);
  if (node === undefined) return text;
  const mine = `{"theirs": ${index}}`;
  return behind
    ? splice(text, node.offset + node.length, node.offset + node.length, `${note},${mine}${note}`)
    : splice(text, node.offset, node.offset, `${note}${mine}${note},`);
}

function listUserHooks(text: string | undefined): { hooks: string[]; notes: number } {
  const source = text ?? '{}';
  const events = nodeAt(source, ['hooks'])?.children ?? [];
  const hooks = events.flatMap((event) =>
    (event.children?.[1]?.children ?? []).filter((item) => !isOurs(item)).map(canonicalNode),
  );
  return { hooks, notes: source.match(/note|"a", \*/g)?.length ?? 0 };
}

function applyStep(bench: EditState, next: EditStep, index: number): void {
  switch (next.kind) {
    case 'sync':
      sync(bench, next.desired);
      return;
    case 'edit-ours':
      bench.shared = bench.shared?.replace(OURS, () => next.text);
      return;
    case 'append':
      bench.mine = bench.mine === undefined ? undefined : bench.mine + next.text;
      bench.shared = bench.mine === undefined ? bench.shared : `${bench.shared ?? ''}${next.text}`;
      return;
    case 'change-value':
    case 'insert-before':
    case 'add-sibling':
    case 'delete':
      editAsUser(bench, next, index);
      return;
  }
}

function sync(bench: EditState, entries: readonly ManagedEntry[]): void {
  const edit = editManagedJson(bench.shared, entries, bench.owned, 'settings.json');
  expect(edit.changed).toBe(edit.text !== bench.shared);
  if (edit.text !== undefined) expectEntries(edit.text, entries);
  // Compared with a copy, because the lock loses the identity of objects.
  const owned = structuredClone(edit.owned);
  const again = editManagedJson(edit.text, entries, owned, 'settings.json');
  expect(again).toEqual({ text: edit.text, owned, changed: false });
  bench.shared = edit.text;
  bench.owned = owned;
}

/** Checks entries with another parser. */
function expectEntries(text: string, entries: readonly ManagedEntry[]): void {
  const errors: ParseError[] = [];
  tree(text, errors);
  expect(errors).toEqual([]);
  for (const { container, value } of entries) {
    const node = nodeAt(text, [...container]);
    const values = (node?.children ?? []).map((item) =>
      node?.type === 'object' ? item.children?.[1] : item,
    );
    expect(values.map(canonicalNode)).toContain(canonicalJson(value));
  }
}

function canonicalNode(node: Node | undefined): string {
  if (node?.type === 'array') return `[${(node.children ?? []).map(canonicalNode).join(',')}]`;
  if (node?.type !== 'object') return JSON.stringify(node?.value);
  const members = (node.children ?? [])
    .map(({ children }) => [String(children?.[0]?.value), canonicalNode(children?.[1])] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

type Spot = (string | number)[];

function editAsUser(
  bench: EditState,
  next: Extract<EditStep, { pick: number }>,
  index: number,
): void {
  if (bench.mine === undefined || bench.shared === undefined) return;
  const spots = listSpots(bench.mine);
  const spot = spots[next.pick % Math.max(1, spots.length)];
  if (spot === undefined) return;
  const mine = edited(bench.mine, spot, next, index);
  const shared = edited(bench.shared, spot, next, index);
  if (mine === undefined || shared === undefined) return;
  bench.mine = mine;
  bench.shared = shared;
  bench.edits += 1;
}

function edited(
  text: string,
  spot: Spot,
  next: Extract<EditStep, { pick: number }>,
  index: number,
): string | undefined {
  const root = tree(text);
  const node = descend(root, spot);
  const siblings = descend(root, spot.slice(0, -1))?.children ?? [];
  const position = siblings.findIndex(
    (sibling) => sibling === node || sibling.children?.[1] === node,
  );
  const item = siblings[position];
  const following = siblings[position + 1];
  if (node === undefined || item === undefined) return undefined;
  if (next.kind === 'change-value') {
    // A container can have managed entries, so only edits inside it belong to the user.
    if (node.children !== undefined) return undefined;
    return splice(text, node.offset, node.offset + node.length, next.text);
  }
  if (next.kind === 'insert-before') return splice(text, item.offset, item.offset, next.text);
  if (next.kind === 'add-sibling') {
    const name = typeof spot.at(-1) === 'number' ? '' : `"new ${index}": `;
    return splice(text, item.offset, item.offset, `${name}${index},\n`);
  }
  if (following === undefined || isOurs(following) || holdsOurs(item)) return undefined;
  return splice(text, item.offset, following.offset, '');
}

function splice(text: string, start: number, end: number, piece: string): string {
  return text.slice(0, start) + piece + text.slice(end);
}

function tree(text: string, errors: ParseError[] = []): Node | undefined {
  return parseTree(text.replace(/^\uFEFF/, ' '), errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
}

function nodeAt(text: string, spot: Spot): Node | undefined {
  return descend(tree(text), spot);
}

function descend(root: Node | undefined, spot: Spot): Node | undefined {
  let node = root;
  for (const step of spot) {
    node =
      typeof step === 'number'
        ? node?.children?.[step]
        : node?.children?.find((member) => member.children?.[0]?.value === step)?.children?.[1];
  }
  return node;
}

function listSpots(text: string): Spot[] {
  const spots: Spot[] = [];
  function visit(node: Node | undefined, spot: Spot): void {
    for (const [index, child] of (node?.children ?? []).entries()) {
      const inner = [...spot, node?.type === 'array' ? index : String(child.children?.[0]?.value)];
      spots.push(inner);
      visit(node?.type === 'array' ? child : child.children?.[1], inner);
    }
  }
  visit(tree(text), []);
  return spots;
}

function isOurs(item: Node): boolean {
  return (
    item.children?.some((member) => member.children?.[0]?.value === 'x-catalog-id') === true ||
    ['hooks', 'mcpServers', 'x-catalog'].includes(String(item.children?.[0]?.value)) ||
    String(item.children?.[0]?.value).startsWith('ours')
  );
}

function holdsOurs(item: Node): boolean {
  return isOurs(item) || (item.children?.some(holdsOurs) ?? false);
}
