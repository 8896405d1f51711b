import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { Objects } from '@catalog/core/ports/objects';
import { readTree, temporaryFolder } from '@catalog/testkit/temporary-folder';
import { newId } from '../id.ts';
import { openFilesystemObjects } from './filesystem-objects.ts';

const bytes = Buffer.from('#!/bin/sh\n');
const hash = bytesHash(bytes);
const hex = hash.slice('sha256:'.length);
const place = `1/${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex}`;

function open(root: string): Promise<Objects> {
  return openFilesystemObjects({ root, newId });
}

describe('filesystem objects', () => {
  test('stores objects under their hash with owner-only permissions and leaves no temporary files', async () => {
    const root = `${temporaryFolder()}/objects`;
    const objects = await open(root);
    await objects.put(1, hash, bytes);
    await objects.probe();
    expect(readTree(root)).toEqual({ [place]: bytes.toString() });
    expect(readdirSync(`${root}/tmp`)).toEqual([]);
    expect(statSync(`${root}/${place}`).mode & 0o077).toBe(0);
  });

  test('rewrites a truncated object', async () => {
    const root = temporaryFolder();
    const objects = await open(root);
    await objects.put(1, hash, bytes);
    writeFileSync(`${root}/${place}`, '#!');
    await objects.put(1, hash, bytes);
    expect(readTree(root)).toEqual({ [place]: bytes.toString() });
  });

  test('fails the read if the content on disk changed', async () => {
    const root = temporaryFolder();
    const objects = await open(root);
    await objects.put(1, hash, bytes);
    writeFileSync(`${root}/${place}`, '#!/bin/no\n');
    const found = await objects.open(1, hash);
    await expect(new Response(found?.stream).arrayBuffer()).rejects.toMatchObject({
      code: 'registry.unavailable',
    });
  });

  test('removes abandoned temporary files but keeps recent ones', async () => {
    const root = temporaryFolder();
    mkdirSync(`${root}/tmp`);
    writeFileSync(`${root}/tmp/abandoned`, 'half');
    writeFileSync(`${root}/tmp/young`, 'half');
    const yesterday = new Date(Date.now() - 86_400_000);
    utimesSync(`${root}/tmp/abandoned`, yesterday, yesterday);
    await open(root);
    expect(readdirSync(`${root}/tmp`)).toEqual(['young']);
  });

  test('reports a failed write with an error code and without the path', async () => {
    const root = temporaryFolder();
    const objects = await open(root);
    rmSync(`${root}/tmp`, { recursive: true });
    const unavailable = {
      code: 'registry.unavailable',
      message: expect.not.stringContaining(root),
    };
    await expect(objects.probe()).rejects.toMatchObject(unavailable);
    await expect(objects.put(1, hash, bytes)).rejects.toMatchObject(unavailable);
    expect(await objects.size(1, hash)).toBeUndefined();
  });
});

test('openFilesystemObjects reports the reason if it cannot open the folder', async () => {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/file`, '');
  await expect(open(`${folder}/file/objects`)).rejects.toMatchObject({
    code: 'registry.unavailable',
    message: 'The object store is unavailable: a part of its path is not a directory.',
  });
});

test('openFilesystemObjects opens a folder while another process writes into it', async () => {
  const root = temporaryFolder();
  const other = await openFilesystemObjects({ root, newId });
  const end = new AbortController();
  const write = async (writer: number): Promise<void> => {
    for (let at = 0; !end.signal.aborted; at += 1) {
      const written = Buffer.from(`${writer} ${at}`);
      await other.put(1, bytesHash(written), written);
    }
  };
  const writing = Promise.all([1, 2, 3, 4].map(write));
  for (let opened = 0; opened < 30; opened += 1) {
    const objects = await openFilesystemObjects({ root, newId });
    await expect(objects.probe()).resolves.toBeUndefined();
  }
  end.abort();
  await writing;
});
