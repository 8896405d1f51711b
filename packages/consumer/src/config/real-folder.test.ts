import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { realFolder } from './real-folder.ts';

test.each<[string, to: string, path: string, real: string]>([
  ['a link to a folder', 'there', 'link', 'there'],
  ['a path below it', 'there', 'link/x/y', 'there/x/y'],
  ['a link to a folder that does not exist yet', 'later', 'link', 'later'],
  ['a path below that', '../outside/later', 'link/x', '../outside/later/x'],
  ['a link to a path below a link', 'again/x', 'link', 'there/x'],
  ['a path below a file', 'there', 'file/x', 'file/x'],
])('realFolder returns the real path of %s', (_name, to, path, real) => {
  const root = temporaryFolder();
  const base = `${root}/base`;
  mkdirSync(`${base}/there`, { recursive: true });
  writeFileSync(`${base}/file`, '');
  symlinkSync(to, `${base}/link`);
  symlinkSync('there', `${base}/again`);
  expect(realFolder(`${base}/${path}`)).toBe(new URL(real, `file://${base}/`).pathname);
});

test('realFolder terminates on circular links', () => {
  const root = temporaryFolder();
  symlinkSync('b/x', `${root}/a`);
  symlinkSync('a/y', `${root}/b`);
  expect(realFolder(`${root}/a/z`)).toContain(root);
});
