import { expect, test } from 'vitest';
import { drawHistory } from './history.ts';
import { findLosses, NO_CONSENT, openModel, type Model } from './model.ts';
import { toLeaf, type Tree } from './tree.ts';
import { findUndoMismatches } from './undo-mismatches.ts';

const MINE = toLeaf('Mine.\n', 0o644);
const THEIRS = toLeaf('Served.\n', 0o644);
const PATH = 'skills/review/SKILL.md';
const CONSENT = { takesOver: () => true };

function modelWith(more: Partial<Model>): Model {
  return { ...openModel({ targets: [], harness: 'codex', exclude: [] }), ...more };
}

function tree(files: Record<string, string>): Tree {
  return new Map(Object.entries(files));
}

test('drawHistory is deterministic for a seed, and differs between seeds', () => {
  expect(drawHistory('1-7')).toEqual(drawHistory('1-7'));
  expect(drawHistory('1-8').steps).not.toEqual(drawHistory('1-7').steps);
});

test('a file of the user is lost unless it is unchanged, or handed over with a backup', () => {
  const model = modelWith({ user: new Map([[PATH, MINE]]) });
  const before = tree({ [PATH]: MINE });
  const lossesIn = (after: Tree, consent = NO_CONSENT): number =>
    findLosses(model, before, after, consent).length;
  expect(lossesIn(before)).toBe(0);
  expect(lossesIn(tree({}))).toBe(1);
  expect(lossesIn(tree({ [PATH]: toLeaf('Mine.\n', 0o600) }))).toBe(1);
  expect(lossesIn(tree({ [PATH]: THEIRS }), CONSENT)).toBe(1);
  const backup = { [`.catalog/backup/${PATH}.1`]: MINE };
  expect(lossesIn(tree({ [PATH]: THEIRS, ...backup }), CONSENT)).toBe(0);
  expect(lossesIn(tree({ [PATH]: THEIRS, ...backup }))).toBe(1);
});

test('an edited managed file is lost unless a copy is kept', () => {
  const model = modelWith({ managed: new Map([[PATH, [THEIRS]]]) });
  const lossesIn = (before: Tree, after: Tree): number =>
    findLosses(model, before, after, NO_CONSENT).length;
  expect(lossesIn(tree({ [PATH]: THEIRS }), tree({}))).toBe(0);
  const edited = tree({ [PATH]: MINE });
  expect(lossesIn(edited, tree({}))).toBe(1);
  expect(lossesIn(edited, tree({ [`.catalog/kept/${PATH}.1`]: MINE }))).toBe(0);
});

test('an entry of the user in a shared file is lost if its text is gone', () => {
  const model = modelWith({ entries: new Map([['.mcp.json', [{ text: '"mine": 1' }]]]) });
  const before = tree({ '.mcp.json': toLeaf('{"mine": 1}', 0o644) });
  expect(findLosses(model, before, before, NO_CONSENT)).toEqual([]);
  const after = tree({ '.mcp.json': toLeaf('{}', 0o644) });
  expect(findLosses(model, before, after, NO_CONSENT)).toHaveLength(1);
});

test('undo restores the state after the sync, except for later changes of the user', () => {
  const point = {
    before: tree({}),
    between: [],
    after: tree({ [PATH]: THEIRS }),
    model: modelWith({}),
  };
  expect(findUndoMismatches(point, point.after, tree({}))).toEqual([]);
  expect(findUndoMismatches(point, point.after, point.after)).toHaveLength(1);
  const edited = tree({ [PATH]: MINE });
  expect(findUndoMismatches(point, edited, edited)).toEqual([]);
  expect(findUndoMismatches(point, edited, tree({}))).toHaveLength(1);
});
