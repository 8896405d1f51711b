import type { Json } from '@catalog/core/json';
import { arbitraryToml } from '@catalog/testkit/arbitrary-toml';
import * as fc from 'fast-check';
import { parse } from 'smol-toml';
import { parseTOML, type AST } from 'toml-eslint-parser';
import { expect, test } from 'vitest';
import type { ManagedEntry } from '../../adapter.ts';
import { canonicalJson } from '@catalog/core/canonical-json';
import type { OwnedFile } from '../managed-file.ts';
import { editManagedToml } from './edit-managed-toml.ts';

/** State of a file; `mine` is its content without any edit of catalog. */
interface EditState {
  mine: string | undefined;
  shared: string | undefined;
  owned: OwnedFile | undefined;
  wanted: { a: ManagedEntry[]; b: ManagedEntry[] };
  /** True until a managed value that the user changed is written again. */
  dirty: boolean;
  edits: number;
}

type EditStep =
  | { kind: 'sync'; owner: 'a' | 'b'; desired: ManagedEntry[] }
  | { kind: 'change-value'; pick: number; text: string }
  | { kind: 'insert-before'; pick: number; text: string }
  | { kind: 'delete'; pick: number }
  | { kind: 'append'; text: string }
  | { kind: 'edit-ours' };

const OURS = 'server-of-ours';

function entry(
  shape: 'map' | 'array',
  container: string[],
  key: string,
  value: Json,
): ManagedEntry {
  return { shape, recorded: 'lock', container, key, artifact_id: key, value };
}

const version = fc.nat({ max: 2 });
const name = fc.constantFrom('ours-1', 'ours 2', 'ours."3"\n');
const listed = fc.constantFrom('x/ours', 'y/ours');
const server = fc
  .tuple(
    fc.constantFrom<string[][]>(['mcp_servers'], ['mcp_servers'], ['tools', 'deep']),
    name,
    version,
  )
  .map(([container, key, number]) => {
    const env = number === 0 ? {} : { KEY: '\u0001"é\\', 'odd key': 'x' };
    const value = {
      command: `${OURS} ${number}`,
      args: ['-y', 'a b'],
      timeout: 1.5,
      on: true,
      env,
    };
    return entry('map', container, key, value);
  });
const hook = fc
  .tuple(fc.constantFrom('Stop', 'PreToolUse', 'Other'), listed, version, fc.boolean())
  .map(([event, key, number, matched]) => {
    const command = { type: 'command', command: `${key} ${number}`, timeout: 30 };
    const value = { ...(matched ? { matcher: 'Edit|Write' } : {}), hooks: [command, command] };
    return entry('array', ['hooks', event], key, value);
  });
const single = fc.oneof(
  version.map((number) => entry('map', ['features'], 'ours', number > 0)),
  version.map((number) => entry('map', [], 'ours_root', `value ${number}`)),
  version.map((number) => entry('map', ['new', 'deep'], 'ours', number)),
  fc.tuple(listed, version).map(([key, n]) => entry('array', ['notify'], key, `${key} ${n}`)),
);

const desired = fc.uniqueArray(fc.oneof(server, hook, single), {
  selector: ({ container, key }) => canonicalJson([[...container], key]),
  maxLength: 5,
});

const turn: fc.Arbitrary<EditStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sync' as const),
      owner: fc.constantFrom('a' as const, 'b' as const),
      desired,
    }),
  },
  fc.record({
    kind: fc.constant('change-value' as const),
    pick: fc.nat(),
    text: fc.constantFrom('"changed"', '17', '[1, 2]', '{ k = {} }', '"""\nnew\n"""'),
  }),
  fc.record({
    kind: fc.constant('insert-before' as const),
    pick: fc.nat(),
    text: fc.constantFrom('# note\n', '\n', '  # note\n\n', 'NEW = 1\n', 'NEW = { x = 1 } # n\n'),
  }),
  fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }),
  fc.record({
    kind: fc.constant('append' as const),
    text: fc.constantFrom('\n', '\n# end\n', '\n\n[NEW]\nk = 1\n', '\n# end\n[[NEW]]'),
  }),
  fc.record({ kind: fc.constant('edit-ours' as const) }),
);

const file: fc.Arbitrary<string | undefined> = fc.option(arbitraryToml, {
  nil: undefined,
  freq: 10,
});

test("removing all entries restores the user's file after any sequence of edits by two owners", () => {
  let edits = 0;
  fc.assert(
    fc.property(file, fc.array(turn, { maxLength: 10 }), (mine, turns) => {
      const bench: EditState = {
        mine,
        shared: mine,
        owned: undefined,
        wanted: { a: [], b: [] },
        dirty: false,
        edits: 0,
      };
      for (const [index, next] of turns.entries()) {
        applyStep(bench, next, index);
        const removed = editManagedToml(bench.shared, [], bench.owned, 'config.toml');
        expect(removed.text).toBe(bench.mine);
        expect(removed.owned).toBeUndefined();
      }
      edits += bench.edits;
    }),
    { numRuns: 400 },
  );
  expect(edits).toBeGreaterThan(100);
});

function applyStep(bench: EditState, next: EditStep, index: number): void {
  switch (next.kind) {
    case 'sync':
      sync(bench, next.owner, next.desired);
      return;
    case 'edit-ours':
      bench.dirty ||= bench.shared?.includes(OURS) === true;
      bench.shared = bench.shared?.replace(OURS, 'edited');
      return;
    case 'append': {
      const text = next.text.replace('NEW', `new_${index}`);
      bench.mine = bench.mine === undefined ? undefined : bench.mine + text;
      bench.shared = bench.mine === undefined ? bench.shared : `${bench.shared ?? ''}${text}`;
      return;
    }
    case 'change-value':
    case 'insert-before':
    case 'delete':
      editAsUser(bench, next, index);
      return;
  }
}

/** Runs a sync that keeps the entries of the other owner. */
function sync(bench: EditState, owner: 'a' | 'b', entries: readonly ManagedEntry[]): void {
  const other = owner === 'a' ? 'b' : 'a';
  const others = new Set(bench.wanted[other].map(placeName));
  const wanted = entries
    .filter((item) => !others.has(placeName(item)))
    .map((item) => ({ ...item, artifact_id: `${owner}/${item.key}` }));
  const kept = bench.owned?.entries.filter((item) => others.has(placeName(item))) ?? [];
  const edit = editManagedToml(bench.shared, wanted, bench.owned, 'config.toml', kept);
  expect(edit.changed).toBe(edit.text !== bench.shared);
  // Compared with a copy, because the lock loses the identity of objects.
  const owned = structuredClone(edit.owned);
  const again = editManagedToml(edit.text, wanted, owned, 'config.toml', kept);
  expect(again).toEqual({ text: edit.text, owned, changed: false });
  bench.shared = edit.text;
  bench.owned = owned;
  bench.wanted[owner] = wanted;
  bench.dirty &&= edit.text?.includes('edited') === true;
  const both = [...wanted, ...bench.wanted[other]];
  if (!bench.dirty) expect(read(bench.shared)).toBe(canonical(withEntries(bench.mine, both)));
}

function placeName({ container, key }: Pick<ManagedEntry, 'container' | 'key'>): string {
  return canonicalJson([[...container], key]);
}

/** Adds entries with another parser. */
function withEntries(mine: string | undefined, entries: readonly ManagedEntry[]): unknown {
  const root: unknown = parse(mine ?? '');
  for (const { shape, container, key, value } of entries) {
    const path = shape === 'map' ? container : container.slice(0, -1);
    const table = path.reduce((outer, name) => getOrSet(outer, name, {}), Object(root));
    if (shape === 'map') table[key] = value;
    else getOrSet<Json[]>(table, container.at(-1) ?? '', []).push(value);
  }
  return root;
}

function getOrSet<Made>(table: Record<string, Made>, name: string, made: Made): Made {
  const member = table[name] ?? made;
  table[name] = member;
  return member;
}

function read(text: string | undefined): string {
  return canonical(parse(text ?? ''));
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join(',')}]`;
  if (value instanceof Date) return `date ${value.toISOString()}`;
  if (typeof value !== 'object' || value === null) return typeof value + String(value);
  const members = Object.entries(value).map(([key, item]) => `${key}:${canonical(item)}`);
  return `{${members.sort().join(',')}}`;
}

function editAsUser(
  bench: EditState,
  next: Extract<EditStep, { pick: number }>,
  index: number,
): void {
  if (bench.mine === undefined || bench.shared === undefined) return;
  const spots = [...pairs(bench.mine).keys()];
  const spot = spots[next.pick % Math.max(1, spots.length)] ?? '';
  const inMine = pairs(bench.mine).get(spot);
  const inShared = pairs(bench.shared).get(spot);
  if (inMine === undefined || inShared === undefined) return;
  if (next.kind === 'change-value') {
    if (inMine.value.type !== 'TOMLValue') return;
    bench.mine = splice(bench.mine, inMine.value.range, next.text);
    bench.shared = splice(bench.shared, inShared.value.range, next.text);
  } else if (next.kind === 'insert-before') {
    const text = next.text.replace('NEW', `new_${index}`);
    const [mineAt, sharedAt] = [lineStart(bench.mine, inMine), lineStart(bench.shared, inShared)];
    bench.mine = splice(bench.mine, [mineAt, mineAt], text);
    bench.shared = splice(bench.shared, [sharedAt, sharedAt], text);
  } else {
    const [mineAt, sharedAt] = [line(bench.mine, inMine), line(bench.shared, inShared)];
    const below = follower(bench.mine, mineAt);
    if (below === '' || below !== follower(bench.shared, sharedAt)) return;
    // A value that contains managed entries is not deleted as a whole.
    if (bench.mine.slice(...mineAt) !== bench.shared.slice(...sharedAt)) return;
    bench.mine = splice(bench.mine, mineAt, '');
    bench.shared = splice(bench.shared, sharedAt, '');
  }
  bench.edits += 1;
}

function pairs(text: string): Map<string, AST.TOMLKeyValue> {
  const found = new Map<string, AST.TOMLKeyValue>();
  const program = parseTOML(`${text.replace(/^\uFEFF/, ' ')}\n`, { tomlVersion: '1.0' });
  for (const statement of program.body[0].body) {
    const inner = statement.type === 'TOMLTable' ? statement.body : [statement];
    const path = statement.type === 'TOMLTable' ? statement.resolvedKey : [];
    for (const pair of inner) {
      const keys = pair.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));
      found.set(JSON.stringify([...path, ...keys]), pair);
    }
  }
  return found;
}

function lineStart(text: string, { range: [start] }: AST.TOMLKeyValue): number {
  return Math.max(text.lastIndexOf('\n', start - 1) + 1, text.startsWith('\uFEFF') ? 1 : 0);
}

function line(text: string, pair: AST.TOMLKeyValue): [number, number] {
  const end = text.indexOf('\n', pair.range[1]);
  return [lineStart(text, pair), end === -1 ? text.length : end + 1];
}

/** A blank line belongs to no particular owner. */
function follower(text: string, [, end]: [number, number]): string {
  return text.slice(end, text.indexOf('\n', end) + 1).trim();
}

function splice(text: string, [start, end]: [number, number], piece: string): string {
  return text.slice(0, start) + piece + text.slice(end);
}
