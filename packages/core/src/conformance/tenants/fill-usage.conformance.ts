import type { Store } from '../../ports/store.ts';
import type { TenantUsage } from '../../ports/tenants.ts';
import { createLayers, newHead, sampleRecord, sampleVersion, T1 } from '../samples.conformance.ts';

export async function fillUsage(store: Store): Promise<TenantUsage> {
  const [live, deleted] = await createLayers(store, 1, ['a', 'b']);
  if (live === undefined || deleted === undefined) throw new Error('There are no layers.');
  const file = { path: 'x', content_hash: 'sha256:1', size: 1000, executable: false };
  const text = { manifest: 'größer', skill: null, files: [file, file] };
  await store.transaction(async (writes) => {
    for (const { id, number } of [live, deleted]) {
      const versions = ['x', 'y'].map((name) =>
        sampleVersion({ id: name, layer: number, ...text }),
      );
      await writes.versions.putVersions(1, id, versions);
      await writes.versions.putHeads(
        1,
        number,
        versions.map((version) => newHead({ id: version.id })),
      );
    }
    await writes.layers.replace(1, { ...deleted, deleted_at: T1 });
    const before = { ...sampleRecord('x'), timestamp: '2026-01-01T03:04:05.000Z' };
    await writes.audit.append(1, [before, sampleRecord('y'), sampleRecord('z')]);
  });
  return { storage_bytes: 4 * 2008, artifact_count: 2, audit_volume_today: 2 };
}
