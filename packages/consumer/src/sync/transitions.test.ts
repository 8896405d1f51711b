import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CLOCK_STEP_MS } from '@catalog/core/node/fingerprint';
import {
  readTree,
  temporaryFolder,
  writeTree,
  type FileTree,
} from '@catalog/testkit/temporary-folder';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { ManagedEntry } from '@catalog/harness/adapter';
import { loadConfig } from '../config/load-config.ts';
import type { ConfigFlags } from '../config/types.ts';
import { openLocalState } from '../lock/local-state.ts';
import { emptyLock } from '../lock/types.ts';
import { planDirectory } from './plan-directory.ts';
import type { SyncReport } from './report.ts';
import { runSync } from './run-sync.ts';
import type { SyncOptions } from './sync-options.ts';

function skill(name: string, requirement = '', body = 'Do it.\n'): FileTree {
  return {
    'ARTIFACT.md': `---\ntype: skill\nversion: 1.0.0\n${requirement}---\n`,
    'SKILL.md': `---\nname: ${name}\ndescription: Does the thing called ${name}.\n---\n${body}`,
  };
}

const RULE =
  '---\ntype: rule\nversion: 1.0.0\ndescription: No releases at the end of the week.\nrule_mode: always\n---\nNot on a Friday.\n';

interface Place {
  work: string;
  author(id: string, files: FileTree): void;
  drop(path: string): void;
  configure(yaml: string): void;
  sync(flags?: ConfigFlags, options?: Partial<SyncOptions>): Promise<SyncReport>;
  tree(): Record<string, string>;
}

function createPlace(home?: 'here'): Place {
  const root = temporaryFolder();
  const registry = `${root}/registry`;
  const work = `${root}/work`;
  mkdirSync(registry);
  mkdirSync(work);
  return {
    work,
    author: (id, files) => writeTree(`${registry}/${id}`, files),
    drop: (path) => rmSync(`${registry}/${path}`, { recursive: true }),
    configure: (yaml) => writeTree(work, { '.catalog/sync.yaml': yaml }),
    sync: (flags = {}, options = {}) => {
      const config = loadConfig({
        cwd: work,
        home: home === 'here' ? work : `${root}/home`,
        env: { CATALOG_REGISTRY: registry },
        flags,
      });
      return runSync(config, { mode: 'sync', wait_ms: 0, ...options });
    },
    tree: () => readTree(work, ['.catalog']),
  };
}

function changed(report: SyncReport): string[] {
  return report.targets.flatMap(({ changes }) =>
    changes.map(({ path, change }) => `${change} ${path}`),
  );
}

describe('run that does not include a target', () => {
  const LISTED = 'targets: [{id: listed, harness: harness-a}]\n';

  test("does not treat its edited file as catalog's content", async () => {
    const place = createPlace();
    place.configure(LISTED);
    place.author('ops/check', skill('check'));
    await place.sync();
    const file = `${place.work}/.harness-a/skills/check/SKILL.md`;
    writeFileSync(file, 'Mine.\n');
    await delay(CLOCK_STEP_MS * 2); // Newer files are always read again.
    await place.sync({ harness: 'harness-e' });
    place.drop('ops/check');
    const [report] = (await place.sync()).targets;
    expect(report?.kept).toEqual([
      {
        path: '.harness-a/skills/check/SKILL.md',
        kept_at: '.harness-a/skills/check/SKILL.md',
      },
    ]);
    expect(readFileSync(file, 'utf8')).toBe('Mine.\n');
  });

  test('advises running both targets if the other one needs another version of a shared file', async () => {
    const place = createPlace();
    place.configure('targets: [{id: listed, harness: agents-md}]\n');
    place.author('ops/check', skill('check'));
    await place.sync();
    place.author('ops/check', skill('check', '', 'Do it well.\n'));
    await expect(place.sync({ harness: 'codex' })).rejects.toMatchObject({
      code: 'materialize.clash',
      suggested_action: expect.stringContaining('in one run'),
    });
  });
});

test('a clash between two harnesses that write the same file advises a separate folder', async () => {
  const place = createPlace();
  place.author('ops/check', skill('check', 'runtime_requirements: {python: ">=3.12"}\n'));
  const run = place.sync({ harness: 'agents-md,harness-f' }, { ignore_runtime: true });
  await expect(run).rejects.toMatchObject({
    code: 'materialize.clash',
    suggested_action: expect.stringContaining('a separate folder'),
  });
});

test('a target whose entry was removed from a shared file no longer counts the file', async () => {
  const place = createPlace();
  place.author('ops/law', { 'ARTIFACT.md': RULE });
  await place.sync({ harness: 'harness-e' });
  writeFileSync(`${place.work}/AGENTS.md`, `# Mine\n\n${place.tree()['AGENTS.md']}`);
  const switched = await place.sync({ harness: 'harness-a' }, { allow_removal: true });
  expect(changed(switched)).toEqual(['added .harness-a/rules/law.md', 'changed AGENTS.md']);
  expect((await place.sync({ harness: 'harness-a' })).targets[0]?.unchanged).toBe(1);
});

test('sync plans the home folder again when it becomes the workspace', async () => {
  const place = createPlace('here');
  place.author('ops/law', { 'ARTIFACT.md': RULE });
  await place.sync({ harness: 'codex' });
  expect(Object.keys(place.tree())).toEqual(['AGENTS.md']);
  await place.sync({ harness: 'codex', scope: 'user' }, { yes: true });
  expect(Object.keys(place.tree())).toEqual(['.codex/AGENTS.md']);
  await place.sync({ harness: 'codex' });
  expect(Object.keys(place.tree())).toEqual(['AGENTS.md']);
});

describe('file that replaces a folder', () => {
  const SKILL = '.harness-a/skills/check';

  async function deliver(files: FileTree): Promise<Place> {
    const place = createPlace();
    place.author('ops/check', { ...skill('check'), ...files });
    await place.sync({ harness: 'harness-a' });
    return place;
  }

  test('is written if all files are managed, and so is the reverse', async () => {
    const place = await deliver({ 'scripts/run/a.sh': 'a\n', 'scripts/run/b/c.sh': 'c\n' });
    place.drop('ops/check/scripts/run');
    place.author('ops/check', { 'scripts/run': 'all\n' });
    expect(changed(await place.sync({ harness: 'harness-a' })).sort()).toEqual([
      `added ${SKILL}/scripts/run`,
      `removed ${SKILL}/scripts/run/a.sh`,
      `removed ${SKILL}/scripts/run/b/c.sh`,
    ]);
    place.drop('ops/check/scripts/run');
    place.author('ops/check', { 'scripts/run/a.sh': 'a\n' });
    await place.sync({ harness: 'harness-a' });
    expect(place.tree()[`${SKILL}/scripts/run/a.sh`]).toBe('a\n');
  });

  test.each([
    ['a file of the person’s', (folder: string) => writeFileSync(`${folder}/mine.txt`, 'Mine.\n')],
    ['an empty folder of theirs', (folder: string) => mkdirSync(`${folder}/mine`)],
    ['an edit of theirs', (folder: string) => writeFileSync(`${folder}/a.sh`, 'Mine.\n')],
  ])('is a clash if the folder contains %s', async (_, change) => {
    const place = await deliver({ 'scripts/run/a.sh': 'a\n' });
    change(`${place.work}/${SKILL}/scripts/run`);
    place.drop('ops/check/scripts/run');
    place.author('ops/check', { 'scripts/run': 'all\n' });
    const before = place.tree();
    await expect(place.sync({ harness: 'harness-a' })).rejects.toMatchObject({
      code: 'materialize.clash',
      message: expect.stringContaining('already exists: a folder'),
    });
    expect(place.tree()).toEqual(before);
  });

  test('a folder that would replace a file the user edited is a clash', async () => {
    const place = await deliver({ 'scripts/run': 'all\n' });
    writeFileSync(`${place.work}/${SKILL}/scripts/run`, 'Mine.\n');
    place.drop('ops/check/scripts/run');
    place.author('ops/check', { 'scripts/run/a.sh': 'a\n' });
    await expect(place.sync({ harness: 'harness-a' })).rejects.toMatchObject({
      code: 'materialize.clash',
      message: expect.stringContaining('a file the user edited'),
    });
    expect(existsSync(`${place.work}/.catalog/state/journal.json`)).toBe(false);
  });
});

test('planDirectory replaces a managed file by a shared file that starts empty', () => {
  const directory = temporaryFolder();
  writeTree(directory, { 'ACME.md': 'All of it.\n' });
  const owner = { target: 'default', id: 'ops/law' };
  const hash = bytesHash('All of it.\n');
  const entry: ManagedEntry = {
    shape: 'block',
    container: [],
    key: owner.id,
    artifact_id: owner.id,
    value: 'A block.',
    recorded: 'lock',
  };
  const source = { artifact_id: owner.id, version: '1.0.0', layer: 'registry', content_hash: '' };
  const { shared } = planDirectory({
    state: openLocalState(directory, temporaryFolder()),
    lock: { ...emptyLock(), files: [{ path: 'ACME.md', hash, ...owner }] },
    lock_hash: undefined,
    journal: undefined,
    index: undefined,
    targets: [
      {
        locked: { id: owner.target, registry: '', harness: 'acme' },
        artifacts: [],
        plan: {
          files: [],
          entries: [{ path: 'ACME.md', entry, ...source }],
          unsupported: [],
          fallbacks: [],
          left_out: [],
        },
        skipped: [],
        frozen: new Set(),
      },
    ],
    isCarried: () => false,
    toggles: { add: [], remove: [] },
  });
  expect(shared[0]?.text).toContain('A block.');
  expect(shared[0]?.text).not.toContain('All of it.');
});
