import fs, { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openCheckedWriter } from './checked-writer.ts';

const PATH = '.mcp.json';
const BEFORE = '{"mine": true, "catalog": 1}\n';
const NEW_FILE = { bytes: Buffer.from('{"mine": true}\n'), mode: 0o644, durable: false };

function takePath(path: string, text: string): void {
  const { linkSync } = fs;
  const link = vi.spyOn(fs, 'linkSync').mockImplementationOnce((from, to) => {
    writeFileSync(path, text);
    linkSync(from, to);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    link.mockRestore();
    syncBuiltinESMExports();
  });
}

test.each([
  { shared: true, kept: [BEFORE] },
  { shared: false, kept: [] },
])(
  'CheckedWriter keeps a replaced file if another program takes its path, with `shared` $shared',
  ({ shared, kept }) => {
    const directory = temporaryFolder();
    const folder = `${directory}/.catalog/state`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${directory}/${PATH}`, BEFORE);
    const writer = openCheckedWriter(directory, folder, 'r1');
    takePath(`${directory}/${PATH}`, '{"theirs": true}\n');
    const checked = { hash: bytesHash(BEFORE), aside: `${folder}/aside`, shared };
    expect(writer.replace(PATH, NEW_FILE, checked)).toBe('changed');
    expect(readFileSync(`${directory}/${PATH}`, 'utf8')).toBe('{"theirs": true}\n');
    const copies = writer.kept.map(({ kept_at }) => `${directory}/${kept_at}`);
    expect(copies.map((copy) => readFileSync(copy, 'utf8'))).toEqual(kept);
  },
);
