import { sampleTenant } from '@catalog/core/conformance/samples.conformance';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { collectEverywhere } from './collect-everywhere.ts';

const { signal } = new AbortController();

test('collectEverywhere covers active and inactive tenants and sums their results', async () => {
  const { registry, close } = await openMemoryRegistry();
  onTestFinished(close);
  const { tenant } = await registry.store.transaction(({ tenants }) =>
    tenants.create(sampleTenant('acme', { active: false })),
  );
  for (const [owner, text] of [
    [1, 'a'],
    [tenant, 'bcd'],
    [tenant, 'ef'],
  ] as const) {
    const bytes = new TextEncoder().encode(text);
    await registry.objects.put(owner, bytesHash(bytes), bytes);
  }
  const progress: number[] = [];
  const onProgress = (examined: number): void => void progress.push(examined);
  const options = { min_age_ms: 0, dry_run: false, onProgress };
  expect(await collectEverywhere(registry, options, signal)).toEqual({
    examined: { objects: 3, bytes: 6 },
    unreferenced: { objects: 3, bytes: 6 },
  });
  expect(progress).toEqual([1, 3]);
  expect(await registry.objects.list(tenant, { after: '', limit: 10 })).toEqual([]);
});
