import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decideSnapshots } from '@catalog/core/ingest/decide-snapshots';
import { effectiveView } from '@catalog/core/view/effective-view';
import { loadFixture } from '@catalog/testkit/fixture';
import { goldenDifferences } from '@catalog/testkit/golden-tree';
import { planArtifacts } from '../plan.ts';
import type { Plan } from '../planned.ts';
import { harnessCapabilities, loadAdapter, type WorkspaceScope } from '../registry.ts';
import { THIN_PROFILES } from './thin-profiles.ts';

const snapshots = loadFixture('everything');
const view = effectiveView(
  decideSnapshots(snapshots, { capabilities: harnessCapabilities() }).artifacts,
  snapshots.map(({ layer }) => layer),
);

function plan(id: string, scope?: WorkspaceScope): Plan {
  return planArtifacts(view, loadAdapter(id, scope), { on_clash: 'fail' });
}

test.each(THIN_PROFILES)('$id writes the same workspace files as agents-md', ({ id }) => {
  const [own, common] = [plan(id), plan('agents-md')];
  expect(own.files).toEqual(common.files);
  expect(own.entries).toEqual(common.entries);
  expect(own.unsupported.map(({ artifact_id }) => artifact_id)).toEqual(
    common.unsupported.map(({ artifact_id }) => artifact_id),
  );
});

test.each(THIN_PROFILES)('$id has fewer than 40 lines in the table', ({ id }) => {
  const table = readFileSync(join(import.meta.dirname, 'thin-profiles.ts'), 'utf8');
  const row = table.split(`id: '${id}'`)[1]?.split('\n  },')[0] ?? '';
  expect(row.split('\n').length).toBeLessThan(40);
});

test('thin profiles write to the listed places in both scopes', () => {
  const lines = THIN_PROFILES.flatMap(({ id }) =>
    (['workspace', 'user'] as const).map((scope) => {
      const { files, entries } = plan(id, scope);
      const folders = new Set(files.map(({ path }) => path.split('/').slice(0, 2).join('/')));
      const shared = new Set(entries.map(({ path }) => path));
      return `${id}, ${scope}: ${[...folders, ...shared].toSorted().join(' ')}\n`;
    }),
  );
  const bytes = new TextEncoder().encode(lines.join(''));
  const golden = join(import.meta.dirname, 'thin-golden');
  const tree = new Map([['PLACES.txt', { bytes, executable: false }]]);
  expect(goldenDifferences(golden, tree)).toEqual([]);
});
