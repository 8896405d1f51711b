import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DeliveryOracle } from './expect-delivery.ts';
import { HARNESSES, type History, type Step } from './history.ts';
import { playHistory } from './play.ts';

let folder: string;
let oracle: DeliveryOracle;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-histories-'));
  oracle = new DeliveryOracle(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const CODEX: Omit<History, 'artifacts' | 'steps'> = {
  seed: 'found',
  harness: HARNESSES.indexOf('codex'),
  listed: false,
  served: false,
};
/** CLAUDE.md imports AGENTS.md if both harnesses share a workspace. */
const BOTH = { ...CODEX, harness: HARNESSES.indexOf('claude-code,codex') };

async function play(history: Omit<History, 'seed'>): Promise<string[]> {
  const { violation } = await playHistory(
    { ...history, seed: 'found' },
    join(folder, 'history'),
    oracle,
  );
  return violation?.problems ?? [];
}

test('an interrupted sync leaves no content in a file that an editor saves during the next sync', async () => {
  const artifacts = ['ops/law', 'ops/logs', 'dev/db'];
  for (let at = 1; at <= 60; at += 1) {
    const steps: Step[] = [
      { kind: 'sync', crash: { at, how: 'half-way' } },
      { kind: 'registry', change: 'drop', pick: 0.5 },
      { kind: 'sync', save: { how: 'shared', by: 'append', pick: 0.4 } },
      { kind: 'remove' },
    ];
    expect(await play({ ...CODEX, artifacts, steps }), `killed at call ${at}`).toEqual([]);
  }
});

test('an interrupted sync leaves no content in a file that the user edited after an undo', async () => {
  const pick = 0.35887017636559904;
  for (const at of [48, 52, 55]) {
    const steps: Step[] = [
      { kind: 'sync' },
      { kind: 'undo' },
      { kind: 'sync', crash: { at, how: 'before' } },
      { kind: 'edit-shared', how: 'add', pick },
      { kind: 'registry', change: 'add-many', pick },
      { kind: 'sync' },
      { kind: 'undo' },
      { kind: 'remove' },
    ];
    const history = { ...CODEX, served: true, artifacts: ['ops/logs'], steps };
    expect(await play(history), `killed at call ${at}`).toEqual([]);
  }
});

test('a removal without effect cannot be undone', async () => {
  const steps: Step[] = [{ kind: 'sync' }, { kind: 'undo' }, { kind: 'remove' }, { kind: 'undo' }];
  expect(await play({ ...CODEX, artifacts: ['ops/logs'], steps })).toEqual([]);
});

test('a folder that an interrupted sync created in place of a file is removed', async () => {
  for (let at = 40; at <= 60; at += 1) {
    const steps: Step[] = [
      { kind: 'registry', change: 'downgrade', pick: 0 },
      { kind: 'sync' },
      { kind: 'registry', change: 'rewrite', pick: 0 },
      { kind: 'sync', crash: { at, how: 'before' } },
      { kind: 'remove' },
    ];
    const history = { ...CODEX, listed: true, artifacts: ['ops/release', 'dev/logs'], steps };
    expect(await play(history), `killed at call ${at}`).toEqual([]);
  }
});

test('entries of an interrupted sync are removed after a second interrupted sync', async () => {
  for (let at = 36; at <= 50; at += 1) {
    const steps: Step[] = [
      { kind: 'sync', crash: { at: 60, how: 'before' } },
      { kind: 'registry', change: 'drop-most', pick: 0.8 },
      { kind: 'sync', crash: { at, how: 'before' } },
      { kind: 'sync', accept_changed: true },
    ];
    const artifacts = ['ops/review', 'ops/triage', 'ops/ship', 'dev/logs'];
    const history = { ...BOTH, listed: true, served: true, artifacts, steps };
    expect(await play(history), `killed at call ${at}`).toEqual([]);
  }
});

test('an interrupted sync leaves no content of an artifact that has become invalid', async () => {
  for (const artifact of ['ops/triage', 'ops/end']) {
    for (let at = 20; at <= 56; at += 2) {
      const steps: Step[] = [
        { kind: 'sync' },
        { kind: 'registry', change: 'change', pick: 0 },
        { kind: 'sync', crash: { at, how: 'after' } },
        { kind: 'registry', change: 'break', pick: 0 },
        { kind: 'sync' },
        { kind: 'remove' },
      ];
      const history = { ...BOTH, artifacts: [artifact], steps };
      expect(await play(history), `${artifact}, killed at call ${at}`).toEqual([]);
    }
  }
});

test('an invalid artifact is removed if the user disables it', async () => {
  const steps: Step[] = [
    { kind: 'sync' },
    { kind: 'registry', change: 'break', pick: 0 },
    { kind: 'toggle', state: 'disable', save: true, pick: 0 },
  ];
  expect(await play({ ...BOTH, listed: true, artifacts: ['ops/end'], steps })).toEqual([]);
});

test('forgets disabled artifacts if the lock that lists them is deleted', async () => {
  const steps: Step[] = [
    { kind: 'toggle', state: 'disable', save: false, pick: 0.9 },
    { kind: 'lose-lock', state_too: false },
    { kind: 'toggle', state: 'disable', save: true, pick: 0 },
  ];
  expect(await play({ ...CODEX, artifacts: ['ops/ship', 'ops/db'], steps })).toEqual([]);
});

test('undo keeps a file that an editor saved in the place of a new file', async () => {
  const steps: Step[] = [
    { kind: 'sync', save: { how: 'new', by: 'append', pick: 0.9 } },
    { kind: 'edit-file', how: 'delete', pick: 0.8 },
    { kind: 'add-file', how: 'equal', pick: 0.8 },
    { kind: 'undo' },
  ];
  const history = { ...BOTH, listed: true, served: true, artifacts: ['ops/end'], steps };
  expect(await play(history)).toEqual([]);
});

describe('a CLAUDE.md that imports AGENTS.md', () => {
  // Of the four shared files of these harnesses, CLAUDE.md is the second.
  const add: Step = { kind: 'edit-shared', how: 'add', pick: 0.3 };
  const sync: Step = { kind: 'sync' };

  test('keeps the user’s additions when its artifact is removed', async () => {
    const steps: Step[] = [sync, add, { kind: 'registry', change: 'drop', pick: 0 }, sync];
    expect(await play({ ...BOTH, artifacts: ['ops/law'], steps })).toEqual([]);
  });

  test('with additions of the user does not block a sync without a lock', async () => {
    for (const state_too of [false, true]) {
      const lost: Step = { kind: 'lose-lock', state_too };
      const steps: Step[] = [sync, add, lost, { kind: 'sync', recover: true }, sync];
      expect(await play({ ...BOTH, artifacts: ['ops/law'], steps })).toEqual([]);
    }
  });

  test('with the user’s own text gets no import, even after an interrupted sync', async () => {
    const artifacts = ['ops/release', 'ops/law', 'ops/logs'];
    const write: Step = { kind: 'edit-shared', how: 'rewrite', pick: 0.3 };
    for (const at of [1, 20, 35, 50]) {
      const steps: Step[] = [{ kind: 'sync', crash: { at, how: 'half-way' } }, write, sync, sync];
      const history = { ...BOTH, listed: true, served: true, artifacts, steps };
      expect(await play(history), `killed at call ${at}`).toEqual([]);
    }
  });

  test('keeps the user’s additions if a sync changes nothing else', async () => {
    const history = { ...BOTH, served: true, artifacts: ['ops/law'] };
    expect(await play({ ...history, steps: [sync, add, sync] })).toEqual([]);
  });
});
