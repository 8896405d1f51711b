import { arbitraryYaml } from '@catalog/testkit/arbitrary-yaml';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { isJsonObject, type Json } from '@catalog/core/json';
import type { ManagedEntry } from '../../adapter.ts';
import { canonicalJson } from '@catalog/core/canonical-json';
import type { OwnedEntry, OwnedFile } from '../managed-file.ts';
import { placeOf } from '../places.ts';
import { editManagedYaml } from './edit-managed-yaml.ts';

/** State of a file; `mine` is its content without any edit of catalog. */
interface EditState {
  mine: string | undefined;
  shared: string | undefined;
  owned: OwnedFile | undefined;
  edits: number;
}

type EditStep =
  | { kind: 'sync'; desired: ManagedEntry[]; kept: number }
  | { kind: 'change-value' | 'note-above' | 'add-sibling' | 'delete-line'; pick: number }
  | { kind: 'append'; text: string }
  | { kind: 'edit-ours' };

const FILE = 'config.yaml';
const ARGUMENTS = [
  '-y',
  'yes',
  '1.10',
  '2020-01-01',
  '',
  'a: b # c',
  'two\nlines',
  '*',
  '{',
  'é\u0085',
];

const argument = fc.constantFrom(...ARGUMENTS);
const hook = fc
  .record({
    event: fc.constantFrom('pre_tool_call', 'on_session_end', 'new event'),
    id: fc.constantFrom('ops/a', 'ops/b', '__proto__'),
    version: fc.nat({ max: 1 }),
    argument,
  })
  .map(({ event, id, version, argument: last }): ManagedEntry => ({
    shape: 'array',
    recorded: 'lock',
    container: ['hooks', event],
    key: id,
    artifact_id: id,
    value: { matcher: last, command: `run-ours ${version}`, timeout: 10 },
  }));

const server = fc
  .record({
    name: fc.constantFrom('ours-1', 'ours 2', 'on', '3'),
    version: fc.nat({ max: 1 }),
    argument,
  })
  .map(({ name, version, argument: last }): ManagedEntry => ({
    shape: 'map',
    recorded: 'lock',
    container: ['mcp_servers'],
    key: name,
    artifact_id: `tools/${name}`,
    value: { command: `serve-ours ${version}`, args: ['x', last], env: { A: last, B: [] } },
  }));

const desired = fc.uniqueArray(fc.oneof(hook, server), { selector: placeOf, maxLength: 5 });

const turn: fc.Arbitrary<EditStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('sync' as const), desired, kept: fc.nat({ max: 3 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'change-value' as const,
        'note-above' as const,
        'add-sibling' as const,
        'delete-line' as const,
      ),
      pick: fc.nat(),
    }),
  },
  fc.record({
    kind: fc.constant('append' as const),
    text: fc.constantFrom('\n', '\n# end\n', '\n\n# end'),
  }),
  fc.record({ kind: fc.constant('edit-ours' as const) }),
);

const file: fc.Arbitrary<string | undefined> = fc.option(arbitraryYaml, {
  nil: undefined,
  freq: 10,
});

test("removing all entries restores the user's file after any sequence of edits", () => {
  let edits = 0;
  fc.assert(
    fc.property(file, fc.array(turn, { maxLength: 10 }), (mine, turns) => {
      const bench: EditState = { mine, shared: mine, owned: undefined, edits: 0 };
      for (const [index, next] of turns.entries()) {
        applyStep(bench, next, index);
        const removed = editManagedYaml(bench.shared, [], bench.owned, FILE);
        expect(removed.text).toBe(bench.mine);
        expect(removed.owned).toBeUndefined();
      }
      edits += bench.edits;
    }),
    { numRuns: 300 },
  );
  expect(edits).toBeGreaterThan(100);
});

function applyStep(bench: EditState, next: EditStep, index: number): void {
  switch (next.kind) {
    case 'sync':
      sync(bench, next.desired, next.kept);
      return;
    case 'edit-ours':
      bench.shared = bench.shared?.replace('serve-ours', () => 'edited');
      return;
    case 'append':
      // A blank line after entries would become part of a block scalar that keeps trailing lines.
      if (bench.mine === undefined || bench.shared === undefined || bench.mine.includes('|+'))
        return;
      bench.mine += next.text;
      bench.shared += next.text;
      return;
    case 'change-value':
    case 'note-above':
    case 'add-sibling':
    case 'delete-line':
      editAsUser(bench, next, index);
      return;
  }
}

function sync(bench: EditState, wanted: readonly ManagedEntry[], keeping: number): void {
  const places = new Set(wanted.map(placeOf));
  const kept = (bench.owned?.entries ?? [])
    .filter((entry) => !places.has(placeOf(entry)))
    .slice(0, keeping);
  const edit = editManagedYaml(bench.shared, wanted, bench.owned, FILE, kept);
  expect(edit.changed).toBe(edit.text !== bench.shared);
  expectSound(edit.text, bench.mine, wanted, kept);
  // Compared with a copy, because the lock loses the identity of objects.
  const owned = structuredClone(edit.owned);
  const again = editManagedYaml(edit.text, wanted, owned, FILE, kept);
  expect(again).toEqual({ text: edit.text, owned, changed: false });
  bench.shared = edit.text;
  bench.owned = owned;
}

/** Checks entries with another parser. */
function expectSound(
  text: string | undefined,
  mine: string | undefined,
  wanted: readonly ManagedEntry[],
  kept: readonly OwnedEntry[],
): void {
  const after = valueOf(text);
  for (const { container, key, shape, value } of wanted) {
    const parent = at(after, container);
    if (shape === 'map') expect(at(parent, [key])).toEqual(value);
    else
      expect(Array.isArray(parent) ? parent.map(canonicalJson) : []).toContain(
        canonicalJson(value),
      );
  }
  const names = new Set([...wanted, ...kept].map(({ key }) => key));
  expect(pruned(after, names)).toEqual(pruned(valueOf(mine), new Set()));
}

function valueOf(text: string | undefined): Json {
  const document = parseDocument(text ?? '', { merge: true, logLevel: 'silent' });
  expect(document.errors).toEqual([]);
  return JSON.parse(JSON.stringify(document.toJS() ?? null));
}

function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (node, name) => (isJsonObject(node) ? node[name] : undefined),
    value,
  );
}

function pruned(value: Json, ours: ReadonlySet<string>): Json | undefined {
  if (Array.isArray(value)) {
    const rest = value.map((item) => pruned(item, ours) ?? null).filter((item) => !isOurHook(item));
    return rest.length === 0 ? undefined : rest;
  }
  if (!isJsonObject(value)) return value ?? undefined;
  const members = Object.entries(value)
    .filter(([key, member]) => !(ours.has(key) && isJsonObject(member) && 'command' in member))
    .flatMap(([key, member]): [string, Json][] => {
      const rest = pruned(member, ours);
      return rest === undefined ? [] : [[key, rest]];
    });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function isOurHook(item: Json): boolean {
  const command = isJsonObject(item) ? item['command'] : undefined;
  return typeof command === 'string' && command.startsWith('run-ours');
}

function editAsUser(
  bench: EditState,
  { kind, pick }: Extract<EditStep, { pick: number }>,
  index: number,
): void {
  if (bench.mine === undefined || bench.shared === undefined) return;
  const pattern = kind === 'change-value' ? /u\d+/g : LINES[kind];
  const found = [...bench.mine.matchAll(pattern)];
  const match = found[pick % Math.max(1, found.length)]?.[0];
  if (match === undefined || !bench.shared.includes(match)) return;
  const eol = match.endsWith('\r\n') ? '\r\n' : '\n';
  const written = match.replace(/(?<!\w)u\d+|^( *)/, (word, indent?: string) => {
    if (kind === 'change-value') return `changed${index}`;
    if (kind === 'note-above') return `${indent}# note ${index}${eol}${word}`;
    return kind === 'add-sibling' ? `${indent}new${index}: u${900 + index}${eol}${word}` : word;
  });
  const edited = (text: string): string =>
    text.replace(match, () => (kind === 'delete-line' ? '' : written));
  bench.mine = edited(bench.mine);
  bench.shared = edited(bench.shared);
  bench.edits += 1;
}

const ANY_LINE = /^ *["']?k[ /]?\d+["']?:.*(?:\r?\n)/gm;
const LINES = {
  'note-above': ANY_LINE,
  'add-sibling': ANY_LINE,
  'delete-line': /^ *["']?k[ /]?\d+["']?: u\d+(?:\r?\n)/gm,
};
