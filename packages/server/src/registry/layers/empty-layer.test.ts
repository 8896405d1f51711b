import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { registerLayer } from './register-layer.ts';
import { unregisterLayer } from './unregister-layer.ts';

const DOMAIN = '---\ndescription: What operations does.\n---\n';
const COUNT = 520;

function rule(index: number): { 'ARTIFACT.md': string } {
  return {
    'ARTIFACT.md': `---\ntype: rule\nversion: 1.0.0\ndescription: What to do in case ${index}.\n---\nDo it.\n`,
  };
}

test('emptyLayer withdraws everything that a layer serves and keeps its versions', async () => {
  const open = await openMemoryRegistry();
  onTestFinished(() => open.close());
  const { registry, context } = open;
  const { store } = registry;
  await open.addLayer('base');
  const packages = Object.fromEntries(
    Array.from({ length: COUNT }, (_, index) => [`ops/rule-${index}`, rule(index)]),
  );
  await open.ingest('base', {
    packages: { ...packages, 'ops/bad': { 'ARTIFACT.md': '---\n[\n---\n' } },
    domains: { ops: DOMAIN },
  });
  const number = (await store.layers.get(1, 'base'))?.number ?? 0;
  expect(await store.versions.countView(1, [number])).toMatchObject({ artifact_count: COUNT });
  await unregisterLayer(registry, context, { id: 'base' });
  await registerLayer(registry, context, {
    id: 'base',
    source_type: 'local',
    local_path: '/srv/elsewhere',
  });
  expect(await store.layers.get(1, 'base')).toMatchObject({ number, deleted_at: null });
  expect(await store.versions.countView(1, [number])).toMatchObject({ artifact_count: 0 });
  expect(await store.versions.listHeadIds(1, number, '', 10)).toEqual([]);
  expect(await store.domains.listPaths(1, number)).toEqual([]);
  expect(await store.versions.listRejections(1, [number])).toEqual([]);
  const query = { query: '', type: '', tags: [], scope: '', top_k: 10 };
  expect((await store.search.search(1, [number], query)).total_matched).toBe(0);
  expect(await store.versions.get(1, number, 'ops/rule-0', '1.0.0')).toMatchObject({
    version: '1.0.0',
  });
});
