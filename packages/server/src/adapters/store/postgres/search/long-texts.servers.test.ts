import { bytesHash } from '@catalog/core/artifact/content-hash';
import { createLayers, newHead, openForTest } from '@catalog/core/conformance/samples.conformance';
import type { Store } from '@catalog/core/ports/store';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { describe, expect, test } from 'vitest';
import { openPostgresStore } from '../open-store.ts';

/** Returns an incompressible string that exceeds the size of an index entry. */
function longText(name: string): string {
  return Array.from({ length: 250 }, (_, part) => bytesHash(`${name} ${part}`)).join('');
}

async function openStore(): Promise<Store> {
  return openForTest(async () => openPostgresStore({ dsn: (await temporaryDatabase()).dsn }));
}

describe('strings of any length', () => {
  test('are accepted as ids of rejected and awaited artifacts', async () => {
    const store = await openStore();
    const [layer] = await createLayers(store, 1, ['a']);
    const number = layer?.number ?? 0;
    const rejection = {
      artifact_id: longText('path'),
      code: 'ingest.invalid_artifact',
      reason: longText('reason'),
      awaits: [longText('link'), 'ops/parent'],
    };
    const given = { ...rejection, artifact_id: 'ops/child' };
    await store.transaction(({ versions }) =>
      versions.putRejections(1, number, [{ ...rejection, awaits: [] }, given]),
    );
    expect(await store.versions.listRejections(1, [number])).toHaveLength(2);
    expect(await store.versions.listWaiting(1, ['ops/parent'])).toEqual([
      { layer: number, artifact_id: 'ops/child' },
    ]);
    await store.transaction(({ versions }) =>
      versions.removeRejections(1, number, [rejection.artifact_id]),
    );
    expect(await store.versions.listRejections(1, [number])).toEqual([{ ...given, layer: number }]);
  });

  test('are accepted as server identifiers', async () => {
    const store = await openStore();
    const [layer] = await createLayers(store, 1, ['a']);
    const number = layer?.number ?? 0;
    const identifier = longText('server');
    const head = newHead({ id: 'x', layer: number }, { server_identifier: identifier });
    await store.transaction(({ versions }) => versions.putHeads(1, number, [head]));
    expect(await store.versions.findServers(1, [number], [identifier, longText('other')])).toEqual(
      new Map([[identifier, 'x']]),
    );
  });

  test('are supported for an id in very many layers', async () => {
    const store = await openStore();
    const ids = Array.from({ length: 200 }, (_, index) => `layer ${index}`);
    const numbers = (await createLayers(store, 1, ids)).map(({ number }) => number);
    await store.transaction(async ({ versions }) => {
      for (const layer of numbers) await versions.putHeads(1, layer, [newHead({ id: 'x', layer })]);
    });
    expect(await store.versions.countView(1, numbers)).toMatchObject({ artifact_count: 1 });
    expect(await store.versions.countView(1, numbers.slice(150, 153))).toMatchObject({
      artifact_count: 1,
    });
  });
});
