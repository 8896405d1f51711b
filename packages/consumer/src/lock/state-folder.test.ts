import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { getLastViewer, rememberCaller } from './delivered-to.ts';
import { openLocalState, type LocalState } from './local-state.ts';
import { ignoreInGit, makeStateFolder, statePath } from './state-folder.ts';

const CALLER = { registry: 'https://catalog.example.com', viewer: 'alice' };

/** A state folder, and a file of the user's outside the workspace. */
function openState(): { directory: string; state: string; local: LocalState; precious: string } {
  const root = temporaryFolder();
  const directory = `${root}/work`;
  const precious = `${root}/precious`;
  makeStateFolder(directory);
  writeFileSync(precious, 'mine');
  const local = openLocalState(directory, `${root}/home`);
  return { directory, state: statePath(directory), local, precious };
}

describe('files that catalog writes for itself', () => {
  test.each(['delivered-to.json', 'delivered-to.json.next'])(
    'replace a link at %s and do not follow it',
    (name) => {
      const { state, local, precious } = openState();
      symlinkSync(precious, `${state}/${name}`);
      rememberCaller(local, CALLER);
      expect(readFileSync(precious, 'utf8')).toBe('mine');
      expect(getLastViewer(local, CALLER.registry)).toBe('alice');
      expect(statSync(`${state}/delivered-to.json`).mode & 0o777).toBe(0o600);
    },
  );

  test.each(['delivered-to.json', 'delivered-to.json.next'])(
    'do not wait for a pipe at %s',
    (name) => {
      const { state, local } = openState();
      execFileSync('mkfifo', [`${state}/${name}`]);
      rememberCaller(local, CALLER);
      expect(getLastViewer(local, CALLER.registry)).toBe('alice');
    },
  );

  test('do not write to a file that .gitignore is a link to', () => {
    const { directory, precious } = openState();
    const kept = `${directory}/.catalog/kept`;
    mkdirSync(kept);
    symlinkSync(precious, `${kept}/.gitignore`);
    ignoreInGit(kept);
    expect(readFileSync(precious, 'utf8')).toBe('mine');
    expect(readFileSync(`${kept}/.gitignore`, 'utf8')).toBe('*\n');
  });

  test('complete a .gitignore that was cut short, without another name', () => {
    const { directory, state } = openState();
    const names = readdirSync(state);
    writeFileSync(`${state}/.gitignore`, '*');
    makeStateFolder(directory);
    expect(readFileSync(`${state}/.gitignore`, 'utf8')).toBe('*\n');
    expect(readdirSync(state)).toEqual(names);
  });
});
