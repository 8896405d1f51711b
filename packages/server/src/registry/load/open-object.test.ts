import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { LoadGrant } from '@catalog/core/identity/load-grants';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import type { CallContext } from '../registry.ts';
import { openObject } from './open-object.ts';

const RULE = '---\ntype: rule\nversion: 1.2.3\ndescription: How to greet a visitor.\n---\nWave.\n';
const MODEL = 'model '.repeat(50_000);

test('serves the bytes of an artifact only to tokens that may load that version of it', async () => {
  const { registry, context, addLayer, ingest, close } = await openMemoryRegistry();
  onTestFinished(close);
  await addLayer('base');
  await ingest('base', {
    packages: { 'ops/greet': { 'ARTIFACT.md': RULE, 'model.txt': MODEL } },
  });
  async function sizeFor(grant: Partial<LoadGrant>): Promise<number> {
    const grants = [
      { kind: 'load', path: 'ops/greet', subtree: false, pin: '', ...grant } as const,
    ];
    const caller: CallContext['caller'] = { kind: 'subject', subject: 'ci', groups: [], grants };
    const object = await openObject(registry, { ...context, caller }, bytesHash(MODEL));
    return object.size();
  }
  expect(await sizeFor({})).toBe(MODEL.length);
  expect(await sizeFor({ pin: '1.x' })).toBe(MODEL.length);
  for (const grant of [{ kind: 'read' }, { pin: '2.x' }, { path: 'ops/other' }] as const) {
    await expect(sizeFor(grant)).rejects.toMatchObject({ code: 'registry.not_found' });
  }
});
