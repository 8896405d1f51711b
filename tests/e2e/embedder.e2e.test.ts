import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from '@catalog/embedder/encode';
import { DESCRIPTION, TABLE, VOCABULARY } from '@catalog/embedder/model';
import { readData } from '@catalog/embedder/read-data';
import { installedProgram } from '@catalog/testkit/packed-program';
import { describe, expect, test } from 'vitest';

const TEXT = 'merge multiple PDFs into one';
const ENCODE_WITH = `
  const { encode } = await import(process.argv[1]);
  process.stdout.write(JSON.stringify(Array.from(encode(process.argv[2]))));
`;

describe('the packed program', () => {
  const dist = join(installedProgram(), 'lib/node_modules/@catalog/cli/dist');

  test.each([TABLE, VOCABULARY, DESCRIPTION])('contains the model: $name', (file) => {
    expect(readData(file, join(dist, 'data')).length).toBeGreaterThan(0);
  });

  test('finds the model from its bundled chunks', () => {
    const parts = join(dist, 'chunks');
    const [part = ''] = readdirSync(parts).filter((name) => name.startsWith('encode-'));
    const words = ['--input-type=module', '-e', ENCODE_WITH, join(parts, part), TEXT];
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(Array.from(encode(TEXT)));
  });

  test('contains the third-party notices of the model', () => {
    const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    expect(notices).toContain('all-MiniLM-L6-v2');
    expect(notices).toContain('WordNet 3.1 Copyright 2011 by Princeton University.');
  });
});
