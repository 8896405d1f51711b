import { existsSync, linkSync, readFileSync, statSync } from 'node:fs';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { tryFileMutex } from './file-mutex.ts';

describe('tryFileMutex in a clone that contains the mutex', () => {
  test('empties the mutex and removes files that SQLite would replay', async () => {
    const folder = temporaryFolder();
    const names = ['mutex.db', 'mutex.db-journal', 'mutex.db-wal', 'mutex.db-shm'];
    writeTree(folder, Object.fromEntries(names.map((name) => [name, 'SQLite format 3\0forged'])));
    const files = { mutex: `${folder}/mutex.db`, holder: `${folder}/holder` };
    const mutex = await tryFileMutex(files);
    expect(mutex).toHaveProperty('release');
    expect(statSync(files.mutex).size).toBe(0);
    expect(names.filter((name) => existsSync(`${folder}/${name}`))).toEqual(['mutex.db']);
    expect(await tryFileMutex(files)).toHaveProperty('holder');
    if ('release' in mutex) mutex.release();
  });

  test('replaces a mutex that is a hard link to another file', async () => {
    const folder = temporaryFolder();
    writeTree(folder, { precious: 'mine' });
    linkSync(`${folder}/precious`, `${folder}/mutex.db`);
    const mutex = await tryFileMutex({ mutex: `${folder}/mutex.db`, holder: `${folder}/holder` });
    if ('release' in mutex) mutex.release();
    expect(readFileSync(`${folder}/precious`, 'utf8')).toBe('mine');
    expect(statSync(`${folder}/mutex.db`).size).toBe(0);
  });
});
