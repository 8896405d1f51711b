import { describe, expect, test } from 'vitest';
import { bytesHash } from '../../artifact/content-hash.ts';
import { MAINTENANCE_RUNS, type Objects } from '../../ports/objects.ts';

export function objectsConformance(open: () => Promise<Objects>): void {
  describe('objects', () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
    const hash = bytesHash(bytes);

    test('are read completely', async () => {
      const objects = await open();
      await objects.put(1, hash, bytes);
      expect(await objects.size(1, hash)).toBe(bytes.length);
      expect(await read(objects, 1, hash)).toEqual({ size: bytes.length, hash });
      const empty = bytesHash(new Uint8Array());
      await objects.put(1, empty, new Uint8Array());
      expect(await read(objects, 1, empty)).toEqual({ size: 0, hash: empty });
    });

    test('can be stored repeatedly and concurrently', async () => {
      const objects = await open();
      await Promise.all([1, 2, 3].map(() => objects.put(1, hash, bytes)));
      await objects.put(1, hash, bytes);
      expect(await read(objects, 1, hash)).toEqual({ size: bytes.length, hash });
    });

    test('are isolated by tenant', async () => {
      const objects = await open();
      await objects.put(1, hash, bytes);
      expect(await objects.size(2, hash)).toBeUndefined();
      expect(await objects.open(2, hash)).toBeUndefined();
    });

    test('are undefined if missing', async () => {
      const objects = await open();
      expect(await objects.size(1, hash)).toBeUndefined();
      expect(await objects.open(1, hash)).toBeUndefined();
    });

    test('are rejected if the content does not match the hash', async () => {
      const objects = await open();
      await expect(objects.put(1, bytesHash('other'), bytes)).rejects.toThrow('hash');
      expect(await objects.size(1, bytesHash('other'))).toBeUndefined();
    });

    test('are rejected under a name that is not a hash', async () => {
      const objects = await open();
      for (const name of ['', 'sha256:', `${hash}/..`, `sha256:${'A'.repeat(64)}`, '../../x']) {
        await expect(objects.size(1, name)).rejects.toThrow('sha256:<hex>');
      }
    });

    test('are listed per tenant by hash, one page at a time', async () => {
      const objects = await open();
      const contents = ['a', 'bb', 'ccc', 'dddd', 'eeeee'].map((word) =>
        new TextEncoder().encode(word),
      );
      const hashes = contents.map((content) => bytesHash(content)).toSorted();
      expect(await objects.list(1, { after: '', limit: 10 })).toEqual([]);
      for (const content of contents) await objects.put(1, bytesHash(content), content);
      await objects.put(2, hash, bytes);
      const first = await objects.list(1, { after: '', limit: 2 });
      const rest = await objects.list(1, { after: first.at(-1)?.content_hash ?? '', limit: 10 });
      expect([...first, ...rest].map(({ content_hash }) => content_hash)).toEqual(hashes);
      expect(first).toHaveLength(2);
      const sizes = new Map(contents.map((content) => [bytesHash(content), content.length]));
      for (const { content_hash, size, stored_at } of [...first, ...rest]) {
        expect(size).toBe(sizes.get(content_hash));
        expect(stored_at).toBeInstanceOf(Date);
      }
      expect(await objects.list(1, { after: hashes.at(-1) ?? '', limit: 10 })).toEqual([]);
    });

    test.each(['remove', 'purge'] as const)(
      'are removed by %s for one tenant, and can be stored again',
      async (remove) => {
        const objects = await open();
        for (const tenant of [1, 2]) await objects.put(tenant, hash, bytes);
        await objects[remove](1, hash);
        await objects[remove](1, hash);
        expect(await objects.size(1, hash)).toBeUndefined();
        expect(await objects.list(1, { after: '', limit: 10 })).toEqual([]);
        expect(await objects.size(2, hash)).toBe(bytes.length);
        await objects.put(1, hash, bytes);
        expect(await read(objects, 1, hash)).toEqual({ size: bytes.length, hash });
      },
    );

    test('have one owner, which the first writer sets', async () => {
      const objects = await open();
      expect(await objects.getOwner()).toBeUndefined();
      const owners = await Promise.all(
        ['a', 'a', 'a'].map((identity) => objects.setOwner(identity, { replace: false })),
      );
      expect(owners).toEqual(['a', 'a', 'a']);
      expect(await objects.setOwner('b', { replace: false })).toBe('a');
      expect(await objects.getOwner()).toBe('a');
      expect(await objects.setOwner('b', { replace: true })).toBe('b');
      expect(await objects.getOwner()).toBe('b');
      expect(await objects.list(1, { after: '', limit: 10 })).toEqual([]);
    });

    test('record the last success of each kind of maintenance run', async () => {
      const objects = await open();
      for (const run of MAINTENANCE_RUNS) expect(await objects.getLastRun(run)).toBeUndefined();
      await objects.setLastRun('backup', '2026-01-02T03:04:05.000Z');
      await objects.setLastRun('backup', '2026-02-02T03:04:05.000Z');
      expect(await objects.getLastRun('backup')).toBe('2026-02-02T03:04:05.000Z');
      expect(await objects.getLastRun('verification')).toBeUndefined();
      expect(await objects.list(1, { after: '', limit: 10 })).toEqual([]);
    });

    test('can be checked for availability without a read', async () => {
      await (await open()).probe();
    });
  });
}

async function read(objects: Objects, tenant: number, hash: string): Promise<unknown> {
  const found = await objects.open(tenant, hash);
  if (found === undefined) return undefined;
  const parts: Uint8Array[] = [];
  for await (const part of found.stream) parts.push(part);
  return { size: found.size, hash: bytesHash(Buffer.concat(parts)) };
}
