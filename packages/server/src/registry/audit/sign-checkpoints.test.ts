import { generateKeyPairSync } from 'node:crypto';
import { sampleRecord } from '@catalog/core/conformance/samples.conformance';
import { decodeCheckpoints } from '@catalog/core/audit/checkpoint-file';
import { appendLeaves, EMPTY_TREE, treeRoot } from '@catalog/core/audit/merkle-tree';
import { openCheckpoint, toSigningKey } from '@catalog/core/audit/signed-note';
import { checkpointsName } from '@catalog/core/ports/audit-objects';
import type { Store } from '@catalog/core/ports/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMemoryObjects } from '../../adapters/objects/memory-objects.ts';
import { openSqliteStore } from '../../adapters/store/sqlite/open-store.ts';
import { createCheckpointSigner } from './sign-checkpoints.ts';

const SIGNAL = new AbortController().signal;
const KEY = toSigningKey(generateKeyPairSync('ed25519').privateKey);

async function openLog() {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const objects = createMemoryObjects(() => new Date(0));
  const startProcess = () => createCheckpointSigner({ store, objects, key: KEY });
  const readFile = async (number: number) => {
    const bytes = await objects.audit.read(checkpointsName(number));
    return bytes && decodeCheckpoints(bytes);
  };
  return { store, objects, startProcess, readFile };
}

function append(store: Store, tenant: number, ...texts: string[]): Promise<void> {
  return store.transaction(({ audit }) => audit.append(tenant, texts.map(sampleRecord)));
}

describe('signer of checkpoints', () => {
  test('signs all changed trees in one object per round', async () => {
    const { store, startProcess, readFile } = await openLog();
    const signer = startProcess();
    await append(store, 1, 'a', 'b');
    await append(store, 7, 'c');
    expect(await signer.sign(SIGNAL)).toEqual({ signed: 2, problems: new Map() });
    expect(await signer.sign(SIGNAL)).toMatchObject({ signed: 0 });
    await append(store, 7, 'd');
    expect(await signer.sign(SIGNAL)).toMatchObject({ signed: 1 });
    expect((await readFile(1))?.trees).toMatchObject([
      { tenant: 1, first: 1, from: 0 },
      { tenant: 7, first: 1, from: 0 },
    ]);
    const [second] = (await readFile(2))?.trees ?? [];
    const stored = await store.audit.listStored(7, 0, 10);
    const leaves = stored.map(({ leaf_hash }) => leaf_hash ?? '');
    expect(second).toMatchObject({ tenant: 7, from: 1, leaves: leaves.slice(1) });
    expect(openCheckpoint(second?.note ?? '', KEY.public_key)).toEqual({
      origin: `catalog-audit/7/${second?.origin}`,
      size: 2,
      root: treeRoot(appendLeaves(EMPTY_TREE, leaves)),
    });
    expect(await readFile(3)).toBeUndefined();
  });

  test('continues in another process, also if the database lost the last checkpoints', async () => {
    const { store, startProcess, readFile } = await openLog();
    await append(store, 1, 'a');
    await startProcess().sign(SIGNAL);
    const before = await store.audit.getCheckpoint(1);
    await append(store, 1, 'b');
    const second = startProcess();
    await second.sign(SIGNAL);
    if (before === undefined) throw new Error('nothing was signed');
    await store.transaction(({ audit }) => audit.putCheckpoints([{ tenant: 1, ...before }]));
    await append(store, 1, 'c');
    const third = startProcess();
    await third.sign(SIGNAL);
    await third.sign(SIGNAL);
    expect((await readFile(3))?.trees).toMatchObject([{ tenant: 1, from: 2 }]);
    // The second process notices that another one signs.
    await append(store, 1, 'd');
    await second.sign(SIGNAL).catch(() => undefined);
    expect(await readFile(4)).toBeUndefined();
  });

  test('refuses a tree that does not extend the signed one', async () => {
    const { store, startProcess, objects } = await openLog();
    await append(store, 1, 'a', 'b');
    const signer = startProcess();
    await signer.sign(SIGNAL);
    await store.transaction(({ audit }) =>
      audit.startTree(1, { ...sampleRecord('audit.opened'), cause: 'reopen' }),
    );
    const replaced = { signed: 0, problems: new Map([[1, 'tree_replaced']]) };
    expect(await signer.sign(SIGNAL)).toEqual(replaced);
    expect(await startProcess().sign(SIGNAL)).toEqual(replaced);
    expect(await objects.audit.list({ after: '', limit: 10 })).toHaveLength(1);
  });
});
