import { openMemoryRegistry, type LayerContent } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { batchLoad } from './batch-load.ts';
import { loadArtifact } from './load-artifact.ts';

const IDS = ['ops/a', 'ops/b', 'ops/c'];

function content(version: string): LayerContent {
  const text = `---\ntype: rule\nversion: ${version}\ndescription: What to do about ${version}.\n---\nDo it.\n`;
  return { packages: Object.fromEntries(IDS.map((id) => [id, { 'ARTIFACT.md': text }])) };
}

test('a batch reads one state of the catalog during a concurrent ingest', async () => {
  const open = await openMemoryRegistry();
  onTestFinished(() => open.close());
  await open.addLayer('base');
  await open.ingest('base', content('1.0.0'));
  const { store } = open.registry;
  // One artifact is cached; the others are read right after the commit of an ingest.
  await loadArtifact(open.registry, open.context, { id: 'ops/a', version: '' });
  let isFirst = true;
  const listHeadsOf = store.versions.listHeadsOf.bind(store.versions);
  store.versions.listHeadsOf = async (...question) => {
    const isInMiddle = isFirst;
    isFirst = false;
    if (isInMiddle) await open.ingest('base', content('2.0.0'));
    return listHeadsOf(...question);
  };
  const items = await batchLoad(open.registry, open.context, { ids: IDS });
  expect(items.map((item) => item.status === 'ok' && item.version)).toEqual([
    '2.0.0',
    '2.0.0',
    '2.0.0',
  ]);
});
