import { decideSnapshots } from '@catalog/core/ingest/decide-snapshots';
import {
  FIRST_CLASS_TYPES,
  HOOK_EVENTS,
  RULE_MODES,
  type Artifact,
} from '@catalog/core/artifact/types';
import { effectiveView } from '@catalog/core/view/effective-view';
import { loadFixture } from '@catalog/testkit/fixture';
import { goldenDifferences, type GoldenFile } from '@catalog/testkit/golden-tree';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editManagedJson } from '../managed-json/edit-managed-json.ts';
import { planArtifacts, type Plan } from '../plan.ts';
import { adapters, harnessCapabilities } from '../registry.ts';

const snapshots = loadFixture('everything');
const decided = decideSnapshots(snapshots, { capabilities: harnessCapabilities() });
const view = effectiveView(
  decided.artifacts,
  snapshots.map(({ layer }) => layer),
);

test('the fixture holds every type, rule mode and hook event, and all of it is taken', () => {
  expect(decided.rejected).toEqual([]);
  expect(new Set(view.map(({ type }) => type))).toEqual(new Set([...FIRST_CLASS_TYPES, 'dataset']));
  expect(valuesOf(({ fields }) => fields.rule_mode)).toEqual(new Set(RULE_MODES));
  expect(valuesOf(({ fields }) => fields.hook_event)).toEqual(new Set(HOOK_EVENTS));
  expect(new Set(view.map(({ layer }) => layer))).toEqual(
    new Set(['base', 'team', 'product', 'overlay']),
  );
});

test('its chain of extends reaches through three layers', () => {
  const last = view.find(({ id }) => id === 'review/payments');
  expect(last?.layer).toBe('product');
  expect(last?.fields.tags).toEqual(['review', 'backend', 'payments']);
});

function valuesOf(field: (artifact: Artifact) => string | undefined): Set<string> {
  return new Set(view.map(field).filter((value) => value !== undefined));
}

test.each([...adapters])('%s writes the tree it is known to write', (id, adapter) => {
  const plan = planArtifacts(view, adapter, { on_clash: 'fail' });
  expect(plan.unsupported).toEqual([]);
  const differences = goldenDifferences(join(import.meta.dirname, id, 'golden'), treeOf(plan));
  expect(differences).toEqual([]);
});

/** The files of a plan, and the files its entries make where there was none. */
function treeOf({ files, entries }: Plan): Map<string, GoldenFile> {
  const tree = new Map<string, GoldenFile>();
  for (const { path, bytes, executable } of files) tree.set(path, { bytes, executable });
  for (const [path, group] of Map.groupBy(entries, (planned) => planned.path)) {
    const desired = group.map(({ entry }) => entry);
    const { text = '' } = editManagedJson(undefined, desired, undefined, path);
    tree.set(path, { bytes: new TextEncoder().encode(text), executable: false });
  }
  return tree;
}
