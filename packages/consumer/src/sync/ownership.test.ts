import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import {
  readTree,
  temporaryFolder,
  writeTree,
  type FileTree,
} from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import type { Config } from '../config/types.ts';
import type { Journal } from './journal.ts';
import { removeAll } from './remove.ts';
import { runSync } from './run-sync.ts';
import type { SyncOptions } from './sync-options.ts';

const REVIEW = '.claude/skills/review/SKILL.md';
const SERVERS = '.mcp.json';

function skill(name: string, body: string): FileTree {
  const files: FileTree = {
    'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
    'SKILL.md': `---\nname: ${name}\ndescription: Does the thing called ${name}.\n---\n${body}\n`,
  };
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`ops/${name}/${path}`, text]),
  );
}

function server(name: string): FileTree {
  return {
    [`ops/${name}/ARTIFACT.md`]: `---\ntype: mcp-server\nname: ${name}\nversion: 1.0.0\ndescription: Access to the database.\nserver_identifier: npx:${name}-mcp\n---\n`,
  };
}

interface Place {
  work: string;
  sync(options?: Partial<SyncOptions>): Promise<unknown>;
  remove(): Promise<unknown>;
  /** Replaces the whole registry. */
  publish(files: FileTree): void;
  write(path: string, text: string): void;
  read(path: string): string;
  tree(): Record<string, string>;
  /** Leaves the state of a run that was interrupted before it wrote the lock. */
  interrupt(journal: Partial<Journal>): void;
}

function createPlace(registry: FileTree): Place {
  const root = temporaryFolder();
  const work = `${root}/work`;
  const state = `${work}/.catalog/state`;
  const publish = (files: FileTree): void => {
    rmSync(`${root}/registry`, { recursive: true, force: true });
    writeTree(`${root}/registry`, { '.keep': '', ...files });
  };
  publish(registry);
  writeTree(work, {
    '.catalog/sync.yaml': `defaults: {registry: ${root}/registry, harness: claude-code}\n`,
  });
  const config = (): Config => loadConfig({ cwd: work, home: `${root}/home`, env: {}, flags: {} });
  return {
    work,
    publish,
    sync: (options = {}) =>
      runSync(config(), { mode: 'sync', wait_ms: 0, allow_removal: true, ...options }),
    remove: () => removeAll(config(), { dry_run: false, wait_ms: 0 }),
    write: (path, text) => writeTree(work, { [path]: text }),
    read: (path) => readFileSync(`${work}/${path}`, 'utf8'),
    tree: () => readTree(work, ['.catalog']),
    interrupt: (journal) => {
      mkdirSync(state, { recursive: true });
      for (const path of ['../sync.lock', 'written.lock', 'index', 'undo']) {
        rmSync(`${state}/${path}`, { recursive: true, force: true });
      }
      const whole = { run: 'r1', files: [], deletes: [], shared: [], directories: [], ...journal };
      writeFileSync(`${state}/journal.json`, JSON.stringify(whole));
    },
  };
}

describe('after an interrupted sync', () => {
  test('a file the user put where it was about to write is the user\u2019s', async () => {
    const place = createPlace(skill('review', 'Do it.'));
    place.write(REVIEW, 'Mine.\n');
    place.interrupt({ files: [{ path: REVIEW, hash: bytesHash('Something else.\n') }] });
    await expect(place.sync()).rejects.toMatchObject({ code: 'materialize.clash' });
    await place.remove();
    expect(place.tree()).toEqual({ [REVIEW]: 'Mine.\n' });
  });

  test('an entry the user put where it was about to write is the user\u2019s', async () => {
    const place = createPlace(server('db'));
    await place.sync();
    const { owned } = JSON.parse(place.read('.catalog/state/undo/journal.json')).shared[0];
    place.write(SERVERS, '{"mcpServers": {"db": {"command": "mine"}}}\n');
    place.interrupt({ shared: [{ path: SERVERS, after: bytesHash('{}'), owned }] });
    await expect(place.sync()).rejects.toMatchObject({ code: 'materialize.clash' });
    await place.remove();
    expect(place.tree()).toEqual({ [SERVERS]: '{"mcpServers": {"db": {"command": "mine"}}}\n' });
  });
});
