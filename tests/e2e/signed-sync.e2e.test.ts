import { contentHash } from '@catalog/core/artifact/content-hash';
import { runDirectSql } from '@catalog/testkit/direct-sql';
import { createRegistryKeys, signsWith, type RegistryKeys } from '@catalog/testkit/registry-keys';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { readTree, temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { openSettings } from '@catalog/testkit/varied-registry';
import { verifies } from '@catalog/testkit/verifies';
import type { Settings } from '@catalog/server/config/settings';
import { startProgram } from '@catalog/testkit/packed-program';
import { describe, expect, onTestFinished, test } from 'vitest';
import { unpackPreviousRelease } from '../stress/upgrade/previous-release.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const RULE =
  '---\ntype: rule\nversion: 1.0.0\ndescription: Avoid releases on Fridays.\n---\nNever on Fridays.\n';
const CHANGED = RULE.replace('Never', 'Always');

interface Stage {
  settings: Settings;
  keys: RegistryKeys;
  workspace: Workspace;
  start(more?: Partial<Settings>): Promise<RegistryServer>;
  sync(server: RegistryServer, env?: Record<string, string>): ReturnType<Workspace['run']>;
  syncError(server: RegistryServer): ReturnType<Workspace['error']>;
  files(): string[];
}

async function openStage(kind: 'standalone' | 'standard'): Promise<Stage> {
  const settings = await openSettings(kind);
  const keys = createRegistryKeys(temporaryFolder());
  const workspace = openWorkspace();
  const envOf = ({ url }: RegistryServer) => ({
    CATALOG_REGISTRY: url,
    CATALOG_HARNESS: 'claude-code',
  });
  return {
    settings,
    keys,
    workspace,
    start: (more = {}) => startRegistry({ settings: { ...settings, ...signsWith(keys), ...more } }),
    sync: (server, env = {}) => workspace.run('sync', { ...envOf(server), ...env }),
    syncError: (server) => workspace.error('sync', envOf(server)),
    files: () => Object.keys(readTree(workspace.root, ['.catalog'])),
  };
}

/** Changes content and hash together, as an attacker with access to the database can. */
async function changeStored(settings: Settings, id: string): Promise<void> {
  const hash = contentHash([
    { path: 'ARTIFACT.md', bytes: Buffer.from(CHANGED), executable: false },
  ]);
  const manifest =
    settings['store.dsn'] === undefined
      ? `'${CHANGED}'`
      : `'\\x${Buffer.from(CHANGED).toString('hex')}'::bytea`;
  await runDirectSql(
    settings,
    `UPDATE versions SET manifest = ${manifest}, content_hash = '${hash}' WHERE id = '${id}';
     UPDATE heads SET content_hash = '${hash}' WHERE id = '${id}';
     UPDATE version_signatures SET content_hash = '${hash}' WHERE id = '${id}'`,
  );
}

describe.each(['standalone', 'standard'] as const)('sync from a signed %s registry', (kind) => {
  verifies(
    ['ERR-54', 'CFG-03'],
    'rejects content that was changed in the database, and writes nothing',
    async () => {
      const stage = await openStage(kind);
      const server = await stage.start();
      await server.ingest({ 'ops/no-friday/ARTIFACT.md': RULE });
      await changeStored(stage.settings, 'ops/no-friday');
      const { code, error } = await stage.syncError(server);
      expect(code).toBe(1);
      expect(error).toMatchObject({
        code: 'materialize.signature_invalid',
        details: { artifact_id: 'ops/no-friday', version: '1.0.0', reason: 'other_content_hash' },
      });
      expect(stage.files()).toEqual([]);
      writeTree(stage.workspace.home, { '.catalog/sync.yaml': 'verify_signatures: never\n' });
      expect((await stage.sync(server)).code).toBe(0);
      expect(stage.files()).not.toEqual([]);
    },
    { timeout: 120_000 },
  );

  verifies(
    ['ERR-55', 'CFG-03'],
    'rejects a version whose signature was removed, at every sensitivity',
    async () => {
      const stage = await openStage(kind);
      const server = await stage.start();
      await server.ingest({ 'ops/no-friday/ARTIFACT.md': RULE });
      await runDirectSql(stage.settings, 'DELETE FROM version_signatures');
      const { code, error } = await stage.syncError(server);
      expect(code).toBe(1);
      expect(error).toMatchObject({
        code: 'materialize.signature_missing',
        details: { artifact_id: 'ops/no-friday', reason: 'missing' },
      });
      expect(stage.files()).toEqual([]);
    },
    { timeout: 120_000 },
  );

  test(
    'shows the key at the first use, and then follows rotations',
    { timeout: 120_000 },
    async () => {
      const stage = await openStage(kind);
      const server = await stage.start();
      await server.ingest({ 'ops/no-friday/ARTIFACT.md': RULE });
      const first = await stage.sync(server);
      expect(first.code).toBe(0);
      expect(first.stderr).toContain(stage.keys.key_ids[0]);
      const again = await stage.sync(server);
      expect(again.stderr).not.toContain(stage.keys.key_ids[0]);
    },
  );
});

test('a registry that does not sign is synced as before, unless the policy is always', async () => {
  const stage = await openStage('standalone');
  const server = await startRegistry({ settings: stage.settings });
  await server.ingest({ 'ops/no-friday/ARTIFACT.md': RULE });
  const refused = await stage.workspace.error('sync', {
    CATALOG_REGISTRY: server.url,
    CATALOG_HARNESS: 'claude-code',
    CATALOG_VERIFY_SIGNATURES: 'always',
  });
  expect(refused.error).toMatchObject({
    code: 'materialize.signature_missing',
    details: { reason: 'not_announced' },
  });
  expect(stage.files()).toEqual([]);
  expect((await stage.sync(server)).code).toBe(0);
});

test('the previous release works with a registry that signs, and its registry with this release', async () => {
  const program = unpackPreviousRelease(temporaryFolder());
  const stage = await openStage('standalone');
  const server = await stage.start();
  await server.ingest({ 'ops/no-friday/ARTIFACT.md': RULE });
  const old = temporaryFolder();
  const client = startProgram(program, ['sync'], {
    cwd: old,
    home: temporaryFolder(),
    env: { CATALOG_REGISTRY: server.url, CATALOG_HARNESS: 'claude-code' },
  });
  expect((await client.ended).code).toBe(0);
  expect(Object.keys(readTree(old, ['.catalog']))).toEqual(['.claude/rules/no-friday.md']);

  const layer = temporaryFolder();
  writeTree(layer, { 'base/ops/no-friday/ARTIFACT.md': RULE });
  const home = temporaryFolder();
  const serve = ['serve', '--json', '--bind', '127.0.0.1:0', '--layer-path', `${layer}/base`];
  const registry = startProgram(program, serve, {
    cwd: home,
    home,
    env: { CATALOG_EMBEDDING_PROVIDER: 'none' },
  });
  onTestFinished(async () => {
    registry.signal('SIGKILL');
    await registry.ended;
  });
  const [line] = await registry.waitFor('stdout', /^\{.*\}$/m);
  await registry.waitFor('stderr', /ingest done/);
  const { url }: { url: string } = JSON.parse(line);
  const synced = await stage.workspace.run('sync', {
    CATALOG_REGISTRY: url,
    CATALOG_HARNESS: 'claude-code',
  });
  expect(synced.code).toBe(0);
  expect(stage.files()).toEqual(['.claude/rules/no-friday.md']);
}, 300_000);
