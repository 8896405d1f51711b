import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf, type PackageTexts } from '@catalog/testkit/authored-package';
import {
  readTree,
  temporaryFolder,
  writeTree,
  type FileTree,
} from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { loadConfig } from '../config/load-config.ts';
import { acquireTargetLock } from '../lock/acquire-target-lock.ts';
import { loadLock } from '../lock/read-lock.ts';
import { removeAll } from '../sync/remove.ts';
import type { SyncReport } from '../sync/report.ts';
import { runSync } from '../sync/run-sync.ts';
import type { SyncOptions } from '../sync/sync-options.ts';
import { materializeLoaded } from './materialize-loaded.ts';
import type { MaterializeRequest, MaterializeRun, Materialized } from './materialized.ts';

const CHECK: PackageTexts = {
  'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
  'SKILL.md': '---\nname: check\ndescription: Checks.\n---\nCheck it.\n',
  'scripts/run.sh': '#!/bin/sh\n',
};

const OTHER_SKILL = '---\nname: check\ndescription: Checks.\n---\nCheck something else.\n';

function manifest(type: string, more = ''): PackageTexts {
  return {
    'ARTIFACT.md': `---\ntype: ${type}\nversion: 1.0.0\ndescription: A ${type}.\n${more}---\nText.\n`,
  };
}

function asVersion(version: string, texts: PackageTexts): PackageTexts {
  return { ...texts, 'ARTIFACT.md': `---\ntype: skill\nversion: ${version}\n---\n` };
}

const TYPES: Record<string, PackageTexts> = {
  skill: CHECK,
  agent: manifest('agent'),
  command: manifest('command'),
  rule: manifest('rule'),
  hook: manifest('hook', 'hook_event: stop\nhook_action: echo x\n'),
  'mcp-server': manifest('mcp-server', 'name: wh\nserver_identifier: npx:wh-mcp\n'),
};

const CONFINING = `const message = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  for (const file of message.files) {
    const text = Buffer.from(file.content_base64, 'base64').toString();
    const confined = text.replace('---\\n', '---\\nsandbox_profile: read-only-fs\\n');
    file.content_base64 = Buffer.from(confined).toString('base64');
  }
  console.log(JSON.stringify(message));`;

interface Place {
  root: string;
  home: string;
  load(
    artifact: Artifact,
    given?: Partial<MaterializeRequest>,
    run?: Partial<MaterializeRun>,
  ): Promise<Materialized>;
  sync(options?: Partial<SyncOptions>): Promise<SyncReport>;
  tree(): Record<string, string>;
}

function createPlace(registry_files: FileTree = {}, workspace: FileTree = {}): Place {
  const folder = temporaryFolder();
  const [root, home, registry] = [`${folder}/work`, `${folder}/home`, `${folder}/registry`];
  for (const path of [`${root}/.catalog`, home, registry]) mkdirSync(path, { recursive: true });
  writeTree(registry, registry_files);
  writeTree(root, workspace);
  const env = { CATALOG_REGISTRY: registry, CATALOG_HARNESS: 'harness-a', PATH: '/usr/bin:/bin' };
  const surroundings = { cwd: root, home, env };
  return {
    root,
    home,
    load: (artifact, given = {}, run = {}) =>
      materializeLoaded(
        {
          loaded: { artifact, layer: artifact.layer, deprecated: false },
          harness: 'harness-a',
          destination: undefined,
          roots: [],
          confirmContent: () => false,
          ...given,
        },
        {
          surroundings,
          registry: 'http://r',
          registry_origin: { kind: 'env', name: 'CATALOG_REGISTRY' },
          materialize_root: undefined,
          write_all: false,
          ...run,
        },
      ),
    sync: (options = {}) =>
      runSync(loadConfig({ ...surroundings, flags: {} }), { mode: 'sync', wait_ms: 0, ...options }),
    tree: () => readTree(root, ['.catalog']),
  };
}

function toTree(id: string, texts: PackageTexts): FileTree {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [
      `${id}/${path}`,
      path.endsWith('.sh') ? { x: text } : text,
    ]),
  );
}

const SKILL_FILES = ['.harness-a/skills/check/SKILL.md', '.harness-a/skills/check/scripts/run.sh'];

describe('materializeLoaded', () => {
  test('writes an artifact where the harness finds it, with its own rows in the lock', async () => {
    const place = createPlace();
    const check = artifactOf('ops/check', CHECK);
    const written = await place.load(check);
    expect(written).toMatchObject({ kind: 'written', root: place.root, files: SKILL_FILES });
    expect(written).toMatchObject({
      use: `Read ${place.root}/.harness-a/skills/check/SKILL.md now and follow it; harness-a loads it automatically from its next start.`,
    });
    expect(Object.keys(place.tree())).toEqual(SKILL_FILES);
    const lock = loadLock(place.root);
    expect(lock.targets).toEqual([{ id: 'mcp', registry: 'http://r', harness: 'harness-a' }]);
    expect(lock.artifacts).toEqual([
      {
        target: 'mcp',
        id: 'ops/check',
        version: '1.0.0',
        layer: 'base',
        content_hash: check.content_hash,
      },
    ]);
    expect(lock.files.map(({ path, target }) => [path, target])).toEqual(
      SKILL_FILES.map((path) => [path, 'mcp']),
    );
  });

  test('replaces the earlier version and leaves everything else unchanged', async () => {
    const place = createPlace();
    await place.load(artifactOf('ops/check', CHECK));
    await place.load(artifactOf('ops/note', manifest('rule')));
    const { 'scripts/run.sh': _gone, ...smaller } = CHECK;
    await place.load(artifactOf('ops/check', asVersion('1.1.0', smaller)));
    expect(Object.keys(place.tree())).toEqual([
      '.harness-a/rules/note.md',
      '.harness-a/skills/check/SKILL.md',
    ]);
    expect(loadLock(place.root).artifacts.map(({ id }) => id)).toEqual(['ops/check', 'ops/note']);
  });

  test('never overwrites a file of the user', async () => {
    const place = createPlace({}, { '.harness-a/skills/check/SKILL.md': 'mine' });
    await expect(place.load(artifactOf('ops/check', CHECK))).rejects.toMatchObject({
      code: 'materialize.clash',
    });
    expect(place.tree()).toEqual({ '.harness-a/skills/check/SKILL.md': 'mine' });
  });

  test('names the artifact after its domain on a name clash, if configured', async () => {
    const place = createPlace(toTree('dev/check', CHECK));
    await place.sync();
    const other = artifactOf('ops/check', { ...CHECK, 'SKILL.md': OTHER_SKILL });
    await expect(place.load(other)).rejects.toMatchObject({ code: 'materialize.clash' });
    writeTree(place.root, { '.catalog/sync.yaml': 'defaults:\n  on_clash: qualify\n' });
    for (const _ of ['first', 'again']) {
      const written = await place.load(other);
      expect(written).toMatchObject({
        kind: 'written',
        files: SKILL_FILES.map((path) => path.replace('/check/', '/ops-check/')),
      });
    }
    expect(place.tree()['.harness-a/skills/check/SKILL.md']).toContain('Check it.');
    expect(place.tree()['.harness-a/skills/ops-check/SKILL.md']).toContain('name: ops-check');
  });

  test('reports the copy of a file that the user had edited', async () => {
    const place = createPlace();
    await place.load(artifactOf('ops/check', CHECK));
    const [path = ''] = SKILL_FILES;
    appendFileSync(`${place.root}/${path}`, 'Mine.\n');
    const edited = readFileSync(`${place.root}/${path}`, 'utf8');
    const written = await place.load(artifactOf('ops/check', CHECK));
    const kept = written.kind === 'written' ? written.kept : [];
    expect(kept.map((row) => row.path)).toEqual([path]);
    const copies = kept.map(({ kept_at }) => readFileSync(`${place.root}/${kept_at}`, 'utf8'));
    expect(copies).toEqual([edited]);
  });

  test('returns content only if the harness reads no files or is not a target harness', async () => {
    const place = createPlace();
    const skill = artifactOf('ops/check', CHECK);
    for (const harness of ['harness-b', 'claude-desktop']) {
      expect(await place.load(skill, { harness })).toMatchObject({
        kind: 'content',
        reason: expect.stringContaining(harness),
      });
    }
    const other_harness_rule = artifactOf(
      'ops/rule',
      manifest('rule', 'target_harnesses: [harness-d]\n'),
    );
    expect(await place.load(other_harness_rule)).toMatchObject({
      kind: 'content',
      reason: expect.stringContaining('target_harnesses'),
    });
    expect(place.tree()).toEqual({});
  });

  describe.each(Object.entries(TYPES))('materializeLoaded with the type %s', (type, texts) => {
    verifies(
      'HC-08',
      'rejects the artifact as untranslatable for harness-c, with or without a workspace',
      async () => {
        const place = createPlace();
        const artifact = artifactOf(`ops/${type}`, texts);
        const untranslatable = { code: 'materialize.untranslatable' };
        await expect(place.load(artifact, { harness: 'harness-c' })).rejects.toMatchObject(
          untranslatable,
        );
        const surroundings = { cwd: place.home, home: place.home, env: {} };
        await expect(
          place.load(artifact, { harness: 'harness-c' }, { surroundings }),
        ).rejects.toMatchObject(untranslatable);
        expect(place.tree()).toEqual({});
      },
    );
  });

  verifies('ERR-60', 'rejects an artifact that a hook made untranslatable', async () => {
    const place = createPlace(toTree('ops/note', manifest('rule')));
    const run = `[${JSON.stringify(process.execPath)}, ~/hook.cjs]`;
    writeTree(place.home, {
      '.catalog/sync.yaml': `materialize_hooks:\n  - {name: confine, run: ${run}, sandbox: unrestricted}\n`,
      'hook.cjs': CONFINING,
    });
    await place.sync({ trust: true });
    const before = place.tree();
    const other = artifactOf('ops/other', manifest('rule'));
    await expect(place.load(other, { harness: 'harness-h' })).rejects.toMatchObject({
      code: 'materialize.untranslatable',
      message: expect.stringContaining('ops/other'),
    });
    expect(place.tree()).toEqual(before);
  });

  test.each(['hook', 'mcp-server'])('requires consent to write the type %s', async (type) => {
    const place = createPlace();
    const artifact = artifactOf(`ops/${type}`, TYPES[type] ?? {});
    expect(await place.load(artifact)).toMatchObject({
      kind: 'content',
      error: {
        code: 'materialize.consent_required',
        suggested_action: expect.stringContaining(`catalog trust approve ops/${type}`),
      },
    });
    expect(place.tree()).toEqual({});
    const confirmContent = (): boolean => true;
    expect(await place.load(artifact, { confirmContent })).toMatchObject({ kind: 'written' });
    expect(await place.load(artifact)).toMatchObject({ kind: 'written' });
    expect(await createPlace().load(artifact, {}, { write_all: true })).toMatchObject({
      kind: 'written',
    });
  });

  test('writes nothing if verification fails', async () => {
    const place = createPlace();
    const verify = (): Promise<void> => Promise.reject(new Error('no signature'));
    await expect(place.load(artifactOf('ops/check', CHECK), {}, { verify })).rejects.toThrow(
      'no signature',
    );
    expect(place.tree()).toEqual({});
  });

  test.each<[string, string, string | undefined]>([
    ['the agent names', 'ops/rule', '.husky'],
    ['the agent names in another spelling', 'ops/rule', 'sub/.GitHub/workflows'],
    ['the registry names', 'node_modules/rule', undefined],
  ])(
    'rejects a folder whose files other programs run, for harness none, if %s it',
    async (_name, id, destination) => {
      const place = createPlace();
      const rule = artifactOf(id, manifest('rule'));
      await expect(place.load(rule, { harness: 'none', destination })).rejects.toMatchObject({
        code: 'materialize.target_invalid',
      });
      const paths = Object.keys(place.tree()).filter((path) => !path.includes('.catalog/'));
      expect(paths).toEqual([]);
      expect(await place.load(rule, { destination })).toMatchObject({ kind: 'written' });
    },
  );

  test.each([
    ['a name that is too long', 'x'.repeat(300)],
    ['a file in the place of the folder', 'taken'],
    ['a file on the way', 'taken/sub'],
  ])('rejects a folder that the system cannot create: %s', async (_name, destination) => {
    const place = createPlace({}, { taken: 'of the person' });
    const loading = place.load(artifactOf('ops/rule', manifest('rule')), { destination });
    await expect(loading).rejects.toMatchObject({ code: 'materialize.target_unwritable' });
  });

  test('rejects the write after a timeout if another process holds the folder', async () => {
    const place = createPlace();
    const hold = await acquireTargetLock(place.root, { wait_ms: 0 });
    const loading = place.load(artifactOf('ops/rule', manifest('rule')), {}, { wait_ms: 50 });
    await expect(loading).rejects.toMatchObject({ code: 'materialize.locked' });
    hold.release();
  });

  verifies(
    'ERR-56',
    'rejects an artifact if the machine lacks its runtime requirements',
    async () => {
      const place = createPlace();
      const needs =
        'runtime_requirements: {node: ">=999", system_packages: [no-such-thing-at-all]}\n';
      const rule = artifactOf('ops/rule', manifest('rule', needs));
      await expect(place.load(rule)).rejects.toMatchObject({
        code: 'materialize.runtime_unavailable',
        details: {
          artifact_id: 'ops/rule',
          missing: [expect.stringContaining('Node >=999'), 'system package no-such-thing-at-all'],
        },
      });
      expect(place.tree()).toEqual({});
      await place.load(rule, {}, { ignore_runtime: true });
      expect(Object.keys(place.tree())).toEqual(['.harness-a/rules/rule.md']);
    },
  );
});

describe('materializeLoaded with an artifact that the registry rewrote or downgraded', () => {
  const versions = (given: { deprecated: boolean }): MaterializeRun['listVersions'] => {
    return () =>
      Promise.resolve([
        {
          version: '2.0.0',
          layer: 'base',
          content_hash: 'sha256:0',
          withdrawn: false,
          latest: false,
          ingested_at: '2026-01-01T00:00:00Z',
          ...given,
        },
      ]);
  };
  const rewritten = artifactOf('ops/check', { ...CHECK, 'SKILL.md': OTHER_SKILL });
  const lower = artifactOf('ops/check', asVersion('1.5.0', CHECK));

  test('rejects changed content until the loaded copy is released', async () => {
    const place = createPlace(toTree('ops/own', manifest('rule')));
    await place.load(artifactOf('ops/check', CHECK));
    const before = place.tree();
    await expect(place.load(rewritten, {}, { registry: 'http://r/' })).rejects.toMatchObject({
      code: 'materialize.content_changed',
      details: { changes: [{ id: 'ops/check', available_hash: rewritten.content_hash }] },
      suggested_action: expect.stringContaining('`catalog sync --release=ops/check`;'),
    });
    expect(place.tree()).toEqual(before);
    await place.sync({ release: { ids: ['ops/check'] } });
    await expect(place.load(rewritten)).resolves.toMatchObject({ kind: 'written' });
  });

  test('rejects the artifact even if the agent requested exactly that version or content', async () => {
    const place = createPlace();
    await place.load(artifactOf('ops/check', CHECK));
    for (const version of ['1.0.0', rewritten.content_hash]) {
      await expect(place.load(rewritten, { version })).rejects.toMatchObject({
        code: 'materialize.content_changed',
      });
    }
  });

  test('rejects a lower version unless the registry deprecated the other', async () => {
    const place = createPlace();
    await place.load(artifactOf('ops/check', asVersion('2.0.0', CHECK)));
    for (const listVersions of [versions({ deprecated: false }), undefined]) {
      await expect(place.load(lower, {}, { listVersions })).rejects.toMatchObject({
        code: 'materialize.downgrade_refused',
        details: { changes: [{ locked: '2.0.0', available: '1.5.0' }] },
      });
    }
    const run = { listVersions: versions({ deprecated: true }) };
    await expect(place.load(lower, {}, run)).resolves.toMatchObject({ kind: 'written' });
  });

  test.each([
    ['2.0.0', '1.5.0', 'written'],
    ['2.0.0', '1.x', 'written'],
    ['1.6.0', '1.x', 'refused'],
    ['1.6.0', '', 'refused'],
  ])(
    'after %s, a request for "%s" that resolves to 1.5.0 is %s',
    async (first, version, outcome) => {
      const place = createPlace();
      await place.load(artifactOf('ops/check', asVersion(first, CHECK)));
      const loading = place.load(lower, { version });
      await (outcome === 'written'
        ? expect(loading).resolves.toMatchObject({ kind: 'written' })
        : expect(loading).rejects.toMatchObject({ code: 'materialize.downgrade_refused' }));
    },
  );

  test('accepts the artifact from the overlay, which is part of the workspace', async () => {
    const place = createPlace();
    const load = (artifact: Artifact): Promise<Materialized> =>
      place.load(artifact, {
        loaded: { artifact, layer: 'base', overlay: true, deprecated: false },
      });
    await load(artifactOf('ops/check', CHECK));
    await expect(load(rewritten)).resolves.toMatchObject({ kind: 'written' });
  });
});

describe('materializeLoaded and sync in the same folder', () => {
  test('sync keeps a loaded artifact and becomes its only owner once it delivers it', async () => {
    const place = createPlace(toTree('ops/own', manifest('rule')));
    await place.load(artifactOf('ops/check', CHECK, 'registry'));
    await place.sync();
    const both = ['.harness-a/rules/own.md', ...SKILL_FILES];
    expect(Object.keys(place.tree())).toEqual(both);
    await place.sync();
    expect(Object.keys(place.tree())).toEqual(both);

    writeTree(`${place.root}/../registry`, toTree('ops/check', CHECK));
    const { targets: reports } = await place.sync();
    expect(reports[0]?.changes).toEqual([]);
    const lock = loadLock(place.root);
    expect(lock.targets.map(({ id }) => id)).toEqual(['default']);
    expect(new Set(lock.files.map(({ target }) => target))).toEqual(new Set(['default']));
  });

  test('loading an artifact that sync delivered adds an owner and removes nothing', async () => {
    const place = createPlace(toTree('ops/check', CHECK));
    await place.sync();
    await place.load(artifactOf('ops/check', CHECK, 'registry'));
    const owners = loadLock(place.root).files.map(({ path, target }) => `${target} ${path}`);
    expect(owners).toEqual(SKILL_FILES.flatMap((path) => [`default ${path}`, `mcp ${path}`]));
    const longer = { ...CHECK, 'SKILL.md': `${CHECK['SKILL.md'] ?? ''}More.\n` };
    const newer = asVersion('1.1.0', longer);
    await expect(place.load(artifactOf('ops/check', newer, 'registry'))).rejects.toMatchObject({
      code: 'materialize.clash',
    });
  });

  test('a release removes all loaded artifacts, or those with an id', async () => {
    const place = createPlace(toTree('ops/own', manifest('rule')));
    await place.load(artifactOf('ops/check', CHECK));
    await place.load(artifactOf('ops/note', manifest('rule')));
    await place.sync();
    await expect(place.sync({ release: { ids: ['ops/chek'] } })).rejects.toMatchObject({
      code: 'registry.not_found',
      suggested_action: 'Did you mean ops/check?',
    });
    await place.sync({ release: { ids: ['ops/check'] } });
    expect(Object.keys(place.tree())).toEqual([
      '.harness-a/rules/note.md',
      '.harness-a/rules/own.md',
    ]);
    await place.sync({ release: { ids: [] } });
    expect(Object.keys(place.tree())).toEqual(['.harness-a/rules/own.md']);
    expect(loadLock(place.root).targets.map(({ id }) => id)).toEqual(['default']);
  });

  test('a sync for another harness keeps loaded artifacts, and a purge removes them', async () => {
    const place = createPlace(toTree('ops/note', manifest('rule')));
    await place.load(artifactOf('ops/note', manifest('rule'), 'registry'), {
      harness: 'harness-d',
    });
    await place.load(artifactOf('ops/check', CHECK), { harness: 'harness-e' });
    await place.sync();
    expect(Object.keys(place.tree())).toEqual([
      '.harness-a/rules/note.md',
      '.harness-d/rules/note.mdc',
      '.harness-e/skills/check/SKILL.md',
      '.harness-e/skills/check/scripts/run.sh',
    ]);
    expect(loadLock(place.root).targets.map(({ id, harness }) => [id, harness])).toEqual([
      ['default', 'harness-a'],
      ['mcp', 'harness-d'],
      ['mcp:harness-e', 'harness-e'],
    ]);
    const env = { CATALOG_HARNESS: 'harness-a' };
    const config = loadConfig({ cwd: place.root, home: place.home, env, flags: {} });
    await removeAll(config, { dry_run: false });
    expect(place.tree()).toEqual({});
  });

  test('a release removes only its own entry from a shared file', async () => {
    const place = createPlace({}, { '.mcp.json': '{"mcpServers": {"mine": {"command": "x"}}}\n' });
    const server = artifactOf('ops/wh', TYPES['mcp-server'] ?? {});
    await place.load(server, { confirmContent: () => true });
    const path = `${place.root}/.mcp.json`;
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      mcpServers: { mine: { command: 'x' }, wh: {} },
    });
    await place.sync();
    expect(readFileSync(path, 'utf8')).toContain('wh');
    await place.sync({ release: { ids: [] } });
    expect(readFileSync(path, 'utf8')).toBe('{"mcpServers": {"mine": {"command": "x"}}}\n');
  });

  test('a configured target cannot use the reserved name', () => {
    const yaml = 'targets:\n  - {id: mcp, harness: harness-a}\n';
    const place = createPlace({}, { '.catalog/sync.yaml': yaml });
    expect(() => place.sync()).toThrow(expect.objectContaining({ code: 'config.invalid' }));
  });
});
