import fs, { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readTree, temporaryFolder } from '@catalog/testkit/temporary-folder';
import type { Session } from '../command/session.ts';
import { replaceFiles } from './write-new-file.ts';

function openPlace(): { root: string; home: string; path: string } {
  const folder = temporaryFolder();
  const place = { root: `${folder}/registry`, home: `${folder}/home` };
  for (const path of Object.values(place)) mkdirSync(path);
  const path = `${place.root}/SKILL.md`;
  writeFileSync(path, 'ours\n');
  return { ...place, path };
}

function session(home: string): Pick<Session, 'home' | 'note'> {
  return { home, note: () => undefined };
}

test('replaces a file, creates a new one, and keeps no state in the registry', async () => {
  const { root, home, path } = openPlace();
  const files = [
    { path, text: 'fixed\n' },
    { path: `${root}/new.md`, text: 'new\n' },
  ];
  await replaceFiles(files, { root, purpose: 'author' }, session(home));
  expect(readTree(root)).toEqual({ 'SKILL.md': 'fixed\n', 'new.md': 'new\n' });
});

test('keeps a file that an editor saves at the same moment', async () => {
  const { root, home, path } = openPlace();
  const { renameSync } = fs;
  const rename = vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    if (from === path) appendFileSync(path, 'saved\n');
    renameSync(from, to);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    rename.mockRestore();
    syncBuiltinESMExports();
  });
  const files = [{ path, text: 'fixed\n' }];
  await expect(
    replaceFiles(files, { root, purpose: 'author' }, session(home)),
  ).rejects.toMatchObject({
    code: 'materialize.target_invalid',
    message: expect.stringContaining('SKILL.md'),
  });
  expect(readFileSync(path, 'utf8')).toBe('ours\nsaved\n');
  expect(existsSync(`${root}/.catalog`)).toBe(false);
});
