import { decideSnapshots } from '@catalog/core/ingest/decide-snapshots';
import {
  FIRST_CLASS_TYPES,
  HOOK_EVENTS,
  RULE_MODES,
  type Artifact,
} from '@catalog/core/artifact/types';
import { effectiveView } from '@catalog/core/view/effective-view';
import { loadFixture, readFixtureFiles } from '@catalog/testkit/fixture';
import { goldenDifferences, listCopies, type GoldenFile } from '@catalog/testkit/golden-tree';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HarnessAdapter } from '../adapter.ts';
import { editManagedFile } from '../managed/edit-managed-file.ts';
import { planArtifacts } from '../plan.ts';
import type { Plan } from '../planned.ts';
import { adapters, harnessCapabilities } from '../registry.ts';
import { THIN_PROFILES } from './thin-profiles.ts';

const snapshots = loadFixture('everything');
const decided = decideSnapshots(snapshots, { capabilities: harnessCapabilities() });
const view = effectiveView(
  decided.artifacts,
  snapshots.map(({ layer }) => layer),
);

test('fixture has every type, rule mode and hook event without rejections', () => {
  expect(decided.rejected).toEqual([]);
  expect(new Set(view.map(({ type }) => type))).toEqual(new Set([...FIRST_CLASS_TYPES, 'dataset']));
  expect(valuesOf(({ fields }) => fields.rule_mode)).toEqual(new Set(RULE_MODES));
  expect(valuesOf(({ fields }) => fields.hook_event)).toEqual(new Set(HOOK_EVENTS));
  expect(new Set(view.map(({ layer }) => layer))).toEqual(
    new Set(['base', 'team', 'product', 'overlay']),
  );
});

test('fixture has a chain of `extends` across three layers', () => {
  const last = view.find(({ id }) => id === 'review/payments');
  expect(last?.layer).toBe('product');
  expect(last?.fields.tags).toEqual(['review', 'backend', 'payments']);
});

function valuesOf(field: (artifact: Artifact) => string | undefined): Set<string> {
  return new Set(view.map(field).filter((value) => value !== undefined));
}

/** Profiles of the table of thin profiles write the same as `agents-md` and have their own test. */
const thick = [...adapters].filter(([id]) => THIN_PROFILES.every((row) => row.id !== id));

/** Plans for workspaces, and the differences for the home folder. */
const planned = new Map([...planWorkspaces(), ...planHomes()]);
const goldens = listCopies(
  new Map([...planned].map(([folder, { tree }]) => [folder, tree])),
  readFixtureFiles('everything'),
);

test.each([...planned])('%s matches the output of the adapter', (folder, { notes }) => {
  const { files, copies } = goldens.get(folder) ?? {
    files: new Map<string, GoldenFile>(),
    copies: [],
  };
  const tree = new Map(files).set('PLAN.txt', textFile(notes + describePart('copies', copies)));
  expect(goldenDifferences(join(import.meta.dirname, folder), tree)).toEqual([]);
});

interface PlannedTree {
  tree: Map<string, GoldenFile>;
  notes: string;
}

function planWorkspaces(): [string, PlannedTree][] {
  return thick.map(([id, adapter]) => [`${id}/golden`, planFixture(adapter)]);
}

function planHomes(): [string, PlannedTree][] {
  return thick.flatMap(([id, adapter]) =>
    adapter.user === undefined ? [] : [[`${id}/user/golden`, planHome(adapter, adapter.user)]],
  );
}

function planHome(workspace: HarnessAdapter, home: HarnessAdapter): PlannedTree {
  const other = planFixture(workspace).tree;
  const { tree, notes } = planFixture(home);
  const missing = [...other.keys()].filter((path) => !tree.has(path));
  const own = [...tree].filter(([path, file]) => !isEqual(file, other.get(path)));
  return { tree: new Map(own), notes: notes + describePart('not in the home folder', missing) };
}

function isEqual(one: GoldenFile, other: GoldenFile | undefined): boolean {
  if (other === undefined || one.executable !== other.executable) return false;
  return Buffer.compare(one.bytes, other.bytes) === 0;
}

function planFixture(adapter: HarnessAdapter): PlannedTree {
  const plan = planArtifacts(view, adapter, { on_clash: 'fail' });
  const reasons = (all: { artifact_id: string; reason: string }[]): string[] =>
    all.map(({ artifact_id, reason }) => `${artifact_id}: ${reason}`);
  const notes =
    describePart('refused', reasons(plan.unsupported)) +
    describePart('otherwise than authored', reasons(plan.fallbacks)) +
    describePart('left out', reasons(plan.left_out));
  return { tree: treeOf(plan), notes };
}

function describePart(title: string, lines: readonly string[]): string {
  return `${title}: ${lines.length}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function treeOf({ files, entries }: Plan): Map<string, GoldenFile> {
  const tree = new Map<string, GoldenFile>();
  for (const { path, bytes, executable } of files) tree.set(path, { bytes, executable });
  for (const [path, group] of Map.groupBy(entries, (planned) => planned.path)) {
    const desired = group.map(({ entry }) => entry);
    const { text = '' } = editManagedFile(undefined, desired, undefined, path);
    tree.set(path, textFile(text));
  }
  return tree;
}

function textFile(text: string): GoldenFile {
  return { bytes: new TextEncoder().encode(text), executable: false };
}
