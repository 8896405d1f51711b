import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSources } from '../tools/syntax/load-sources.ts';
import { FILE_WRITERS, findWrites, importsCheck } from './architecture/file-writers.ts';

const ROOT = join(import.meta.dirname, '..');

/** Packages that run on a user's machine. The file mutex of core only writes to catalog's own state. */
const sources = [
  ...loadSources(
    ROOT,
    ['cli', 'consumer', 'mcp'].map((name) => `packages/${name}/src`),
  ),
].filter(([path]) => !path.endsWith('.test.ts'));

describe('files that change the disk', () => {
  test('are all listed with the way in which they restrict their paths', () => {
    const writers = sources.filter(([path, text]) => findWrites(path, text).length > 0);
    expect(writers.map(([path]) => path).toSorted()).toEqual(Object.keys(FILE_WRITERS).toSorted());
  });

  test('call the check if they are listed as checked', () => {
    const texts = new Map(sources);
    const missing = Object.entries(FILE_WRITERS).filter(
      ([path, kind]) => kind === 'checked' && !importsCheck(path, texts.get(path) ?? ''),
    );
    expect(missing).toEqual([]);
  });
});

describe('findWrites', () => {
  const PATH = 'packages/consumer/src/sync/x.ts';

  test.each([
    ["import { writeFileSync } from 'node:fs';", ['writeFileSync']],
    ["import { rm as remove, lstatSync } from 'fs/promises';", ['rm']],
    ["import { openSync } from 'node:fs';", ['openSync']],
    ["import * as fs from 'node:fs';", ['*']],
    ["import fs from 'fs';", ['*']],
    ["const fs = await import('node:fs/promises');", ['import()']],
    ["import { replaceFile, isCode } from './write-file.ts';", ['replaceFile']],
    ["import { writeNew } from '@catalog/consumer/sync/write-file';", ['writeNew']],
    ["import { existsSync, readFileSync, type Stats } from 'node:fs';", []],
    ["import type { FileReplacer } from './write-file.ts';", []],
  ])('finds %s', (text, found) => {
    expect(findWrites(PATH, text)).toEqual(found);
  });
});
