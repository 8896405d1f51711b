import { bytesHash } from '@catalog/core/artifact/content-hash';
import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMemoryObjects } from '../adapters/objects/memory-objects.ts';
import { openObjectCopy } from './copy-objects.ts';

const { signal } = new AbortController();

function version(letter: string) {
  const bytes = Buffer.alloc(INLINE_CUTOFF_BYTES + 1, letter);
  const file = {
    path: 'model.bin',
    content_hash: bytesHash(bytes),
    size: bytes.length,
    executable: false,
  };
  const named = { tenant: 1, id: `ops/${letter}`, version: '1.0.0' };
  return { bytes, row: { ...named, files: [file], manifest: null, skill: null } };
}

test('a copy contains each object once', async () => {
  const [from, to] = [createMemoryObjects(() => new Date()), createMemoryObjects(() => new Date())];
  const versions = [version('a'), version('b'), version('a')];
  for (const { bytes } of versions) await from.put(1, bytesHash(bytes), bytes);
  const copy = openObjectCopy(from, to);
  const rows = versions.map(({ row }) => row);
  await copy.copy(rows, signal);
  expect(copy.total()).toEqual({ objects: 2, bytes: 2 * (INLINE_CUTOFF_BYTES + 1) });
  expect(await to.list(1, { after: '', limit: 10 })).toHaveLength(2);
});

test('a failed copy leaves no object pending', async () => {
  const [from, to] = [createMemoryObjects(() => new Date()), createMemoryObjects(() => new Date())];
  const [missing, ...others] = ['a', 'b', 'c', 'd'].map(version);
  for (const { bytes } of others) await from.put(1, bytesHash(bytes), bytes);
  const open = from.open.bind(from);
  from.open = async (tenant, content_hash) => {
    if (content_hash !== missing?.row.files[0]?.content_hash) await delay(10);
    return open(tenant, content_hash);
  };
  let puts = 0;
  const put = to.put.bind(to);
  to.put = async (...given) => {
    puts += 1;
    await put(...given);
  };
  const rows = [missing, ...others].flatMap((one) => one?.row ?? []);
  await expect(openObjectCopy(from, to).copy(rows, signal)).rejects.toThrow('missing');
  const before = puts;
  await delay(50);
  expect(puts).toBe(before);
});
