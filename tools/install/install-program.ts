import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** By name of the launcher. */
const PROGRAMS = { catalog: 'bin.js', 'catalog-mcp': 'mcp.js' } as const;

const PACKAGE = 'lib/node_modules/@catalog/cli';

const ENTRY_POINT = 'package/dist/bin.js';

/** A file without this second line belongs to the user. */
const MARK = '# Written by ./dev install of catalog.';

export interface InstallPlan {
  home: string;
  /** As `npm install --global --prefix` creates it. */
  program: string;
  /** If undefined, the launchers run `node` from the PATH. */
  node: string | undefined;
}

export function launcherFolder(home: string): string {
  return join(home, '.local/bin');
}

function programFolder(home: string): string {
  return join(home, '.local/share/catalog/program');
}

/** Replaces an earlier installation. Returns the launchers. */
export function installProgram({ home, program, node }: InstallPlan): string[] {
  const launchers = listLaunchers(home);
  const folder = programFolder(home);
  for (const { path } of launchers) {
    if (exists(path) && !isLauncher(path)) rejectForeign(path);
  }
  if (exists(folder) && !isProgram(folder)) rejectForeign(folder);
  const staging = `${folder}.${String(process.pid)}`;
  mkdirSync(staging, { recursive: true });
  cpSync(join(program, PACKAGE), join(staging, 'package'), { recursive: true });
  if (node !== undefined) cpSync(node, join(staging, 'node'));
  rmSync(folder, { recursive: true, force: true });
  renameSync(staging, folder);

  mkdirSync(launcherFolder(home), { recursive: true });
  for (const { path, entry } of launchers) {
    writeLauncher(
      path,
      node === undefined ? 'node' : join(folder, 'node'),
      join(folder, 'package/dist', entry),
    );
  }
  return launchers.map(({ path }) => path);
}

/** Returns the removed launchers. */
export function removeProgram(home: string): string[] {
  const launchers = listLaunchers(home).filter(({ path }) => isLauncher(path));
  for (const { path } of launchers) rmSync(path);
  const folder = programFolder(home);
  if (isProgram(folder)) rmSync(folder, { recursive: true });
  return launchers.map(({ path }) => path);
}

function listLaunchers(home: string): { path: string; entry: string }[] {
  return Object.entries(PROGRAMS).map(([name, entry]) => ({
    path: join(launcherFolder(home), name),
    entry,
  }));
}

function rejectForeign(path: string): never {
  throw new Error(
    `${path} exists, and ./dev install did not create it. Remove or rename it, then run ./dev install again.`,
  );
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Returns false for links. */
function isLauncher(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && readFileSync(path, 'utf8').split('\n')[1] === MARK;
}

function isProgram(folder: string): boolean {
  return exists(join(folder, ENTRY_POINT));
}

function writeLauncher(path: string, node: string, entry: string): void {
  const staging = `${path}.${String(process.pid)}`;
  writeFileSync(staging, `#!/bin/sh\n${MARK}\nexec ${quote(node)} ${quote(entry)} "$@"\n`);
  chmodSync(staging, 0o755);
  renameSync(staging, path);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
