import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { installProgram, removeProgram } from './install-program.ts';

function openHome(version: string): { home: string; program: string } {
  const root = temporaryFolder('catalog-install-');
  const program = join(root, 'prefix');
  const print = `console.log(${JSON.stringify(version)}, process.argv.slice(2).join('|'));\n`;
  writeTree(program, {
    'lib/node_modules/@catalog/cli/dist/bin.js': print,
    'lib/node_modules/@catalog/cli/dist/mcp.js': print,
  });
  const home = join(root, "a user's home");
  mkdirSync(home);
  return { home, program };
}

function runLauncher(home: string, name: string, ...words: string[]): string {
  const path = join(home, '.local/bin', name);
  return spawnSync(path, words, { encoding: 'utf8', env: { PATH: '/nowhere' } }).stdout;
}

test('installed launcher passes its arguments and does not need Node.js on the PATH', () => {
  const { home, program } = openHome('first');
  installProgram({ home, program, node: process.execPath });
  expect(runLauncher(home, 'catalog', 'sync', 'a b', '$HOME')).toBe('first sync|a b|$HOME\n');
  expect(runLauncher(home, 'catalog-mcp')).toBe('first \n');
});

test('second installation replaces the program and leaves no other files', () => {
  const { home, program } = openHome('first');
  installProgram({ home, program, node: process.execPath });
  const next = openHome('second');
  installProgram({ home, program: next.program, node: process.execPath });
  expect(runLauncher(home, 'catalog')).toBe('second \n');
  expect(readdirSync(join(home, '.local/bin')).toSorted()).toEqual(['catalog', 'catalog-mcp']);
  expect(readdirSync(join(home, '.local/share/catalog'))).toEqual(['program']);
});

test('installation keeps files that it did not create', () => {
  for (const place of [
    '.local/bin/catalog',
    '.local/bin/catalog-mcp',
    '.local/share/catalog/program/mine',
  ]) {
    const { home, program } = openHome('ours');
    writeTree(home, { [place]: 'mine\n' });
    expect(() => installProgram({ home, program, node: undefined })).toThrow(
      /exists, and \.\/dev install did not create it\. Remove or rename it/,
    );
    removeProgram(home);
    expect(readFileSync(join(home, place), 'utf8')).toBe('mine\n');
  }
  const { home, program } = openHome('ours');
  mkdirSync(join(home, '.local/bin'), { recursive: true });
  symlinkSync('/dev/null', join(home, '.local/bin/catalog'));
  expect(() => installProgram({ home, program, node: undefined })).toThrow(/did not create it/);
});

test('removal deletes the program and both launchers', () => {
  const { home, program } = openHome('ours');
  expect(installProgram({ home, program, node: undefined })).toHaveLength(2);
  expect(removeProgram(home)).toHaveLength(2);
  expect(readdirSync(join(home, '.local/bin'))).toEqual([]);
  expect(existsSync(join(home, '.local/share/catalog/program'))).toBe(false);
  expect(removeProgram(home)).toEqual([]);
});
