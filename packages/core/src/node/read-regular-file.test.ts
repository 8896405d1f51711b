import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { readRegularFile } from './read-regular-file.ts';

const MIB = 1024 * 1024;

describe('readRegularFile', () => {
  test('reads a file up to the limit, also through a link', () => {
    const folder = temporaryFolder();
    writeFileSync(`${folder}/file`, 'é'.repeat(4));
    symlinkSync('file', `${folder}/link`);
    expect(readRegularFile(`${folder}/file`, 8).toString()).toBe('éééé');
    expect(readRegularFile(`${folder}/link`, 8).toString()).toBe('éééé');
    expect(() => readRegularFile(`${folder}/file`, 7)).toThrow(
      expect.objectContaining({ code: 'EFBIG' }),
    );
  });

  test('rejects a sparse file of 6 GB without reading it', () => {
    const path = `${temporaryFolder()}/sparse`;
    writeFileSync(path, '');
    truncateSync(path, 6 * 1024 * MIB);
    expect(() => readRegularFile(path, 16 * MIB)).toThrow(
      expect.objectContaining({ code: 'EFBIG', message: `${path} is larger than 16 MiB` }),
    );
  });
});

describe('readRegularFile for special files', () => {
  test.each([
    ['a pipe', 'EFTYPE', (path: string) => execFileSync('mkfifo', [path])],
    ['a link to a device', 'EFTYPE', (path: string) => symlinkSync('/dev/zero', path)],
    ['a folder', 'EISDIR', (path: string) => mkdirSync(path)],
    ['nothing', 'ENOENT', () => undefined],
  ])('does not open %s', (_, code, make) => {
    const path = `${temporaryFolder()}/it`;
    make(path);
    expect(() => readRegularFile(path, MIB)).toThrow(expect.objectContaining({ code }));
  });
});
