import type { DirectoryResource } from '@catalog/core/ports/directory';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { encodeKeySet } from '@catalog/core/signing/key-set';
import { newReceiver } from '@catalog/core/webhook/kept-receiver';
import { loadSettings } from '@catalog/server/config/load';
import type { Settings } from '@catalog/server/config/settings';
import { openTestBucket } from './s3-bucket.ts';
import { startRegistry, type RegistryServer } from './registry-server.ts';
import { temporaryDatabase } from './postgres-database.ts';
import { temporaryFolder, type FileTree } from './temporary-folder.ts';
import { onTestFinished } from 'vitest';

export async function openSettings(
  kind: 'standalone' | 'standard',
  folder = temporaryFolder(),
): Promise<Settings> {
  const { settings } = loadSettings({
    cwd: folder,
    home: folder,
    env: {},
    flags: { bind: '127.0.0.1:0' },
  });
  const base_settings = { ...settings, shutdown_timeout: 1, 'log.level': 'warn' } as const;
  if (kind === 'standalone') return base_settings;
  const { dsn, migration_dsn } = await temporaryDatabase();
  const bucket = await openTestBucket();
  onTestFinished(() => bucket.empty());
  return {
    ...base_settings,
    'store.type': 'postgres',
    'store.dsn': dsn,
    'store.migration_dsn': migration_dsn,
    'store.pool_size': 4,
    ...bucket.settings,
  };
}

const LARGE = 'x'.repeat(300_000);

function artifact(type: string, version: string, more = ''): string {
  return `---\ntype: ${type}\nversion: ${version}\ndescription: What ${type} is for.\n${more}---\nDo it.\u2028Größe.\n`;
}

const BASE: FileTree = {
  'ops/DOMAIN.md': '---\ndescription: Running things.\ninclude: ["team/**"]\n---\nText.\n',
  'ops/hidden/DOMAIN.md': '---\nunlisted: true\n---\n',
  'ops/hidden/secret/ARTIFACT.md': artifact('rule', '1.0.0'),
  'ops/deploy/ARTIFACT.md': artifact('rule', '1.0.0', 'tags: [release]\nsensitivity: medium\n'),
  'ops/deploy/run.sh': { x: '#!/bin/sh\n' },
  'ops/deploy/large.txt': LARGE,
  'ops/old/ARTIFACT.md': artifact('rule', '1.0.0', 'deprecated: true\n'),
  'ops/direct/ARTIFACT.md': artifact('rule', '1.0.0', 'search_visibility: direct-only\n'),
  'ops/leaves/ARTIFACT.md': artifact('rule', '1.0.0'),
  'tools/server/ARTIFACT.md': artifact('mcp-server', '1.0.0', 'command: npx\nargs: [thing]\n'),
};

const TEAM: FileTree = {
  'team/child/ARTIFACT.md': artifact('rule', '1.0.0', 'extends: ops/deploy\n'),
  'team/agent/ARTIFACT.md': artifact(
    'agent',
    '1.0.0',
    'delegates_to: [team/other]\nmcpServers:\n  - name: thing\n    command: npx\n    args: [thing]\n',
  ),
  'team/orphan/ARTIFACT.md': artifact('rule', '1.0.0', 'extends: nobody/here\n'),
  'team/other/ARTIFACT.md': artifact('agent', '2.0.0'),
};

export async function startVariedRegistry(settings: Settings): Promise<RegistryServer> {
  const server = await startRegistry({ settings, keep: true });
  await server.ingest(BASE);
  const team = { id: 'team', groups: ['platform'] };
  await server.ingest(TEAM, team);
  await server.ingest({ ...TEAM, 'team/other/ARTIFACT.md': artifact('agent', '3.0.0') }, team);
  await server.ingest(TEAM, team);
  const { 'ops/leaves/ARTIFACT.md': _, ...left } = BASE;
  await server.ingest({ ...left, 'ops/deploy/ARTIFACT.md': artifact('rule', '1.1.0') });
  await server.ingest({ 'gone/a/ARTIFACT.md': artifact('rule', '1.0.0') }, { id: 'gone' });
  await server.request('/v1/layers?id=gone', { method: 'DELETE' });
  await addPeople(server);
  await addReceiver(server);
  await addFreezeWindow(server);
  await addPurge(server);
  await addSignature(server);
  await addReads(server);
  return server;
}

const MOMENT = '2026-01-02T03:04:05.000Z';

function resource(kind: DirectoryResource['kind'], name: string): DirectoryResource {
  const times = { created_at: MOMENT, modified_at: MOMENT };
  const names = { name, name_key: name.toLowerCase(), external_id: null };
  return {
    kind,
    id: `id of ${name}`,
    ...names,
    active: true,
    attributes: {},
    ...times,
    version: 1,
  };
}

async function addPeople({ registry }: RegistryServer): Promise<void> {
  await registry.store.transaction(async ({ grants, directory }) => {
    await grants.grant(ONLY_TENANT, { user_id: 'Ada', granted_at: MOMENT, granted_by: 'system' });
    for (const name of ['Ada', 'Bo']) {
      await directory.create(ONLY_TENANT, resource('User', name));
    }
    await directory.create(ONLY_TENANT, resource('Group', 'Platform'));
    await directory.addMembers(ONLY_TENANT, 'id of Platform', ['id of Ada']);
    await directory.remove(ONLY_TENANT, 'User', 'id of Bo');
  });
}

async function addPurge({ registry }: RegistryServer): Promise<void> {
  const purged = { layer_id: 'base', id: 'ops/leaked', version: '1.0.0', content_hash: 'sha256:x' };
  const record = { reason: 'A key.', purged_by: 'Ada', purged_at: MOMENT, pending_objects: [] };
  await registry.store.transaction(({ purges }) =>
    purges.put(ONLY_TENANT, [{ ...purged, ...record }]),
  );
}

/** Adds a window that has ended, so that ingests continue. */
async function addFreezeWindow({ registry }: RegistryServer): Promise<void> {
  await registry.store.transaction(({ freezes }) =>
    freezes.putWindows(ONLY_TENANT, [
      { name: 'past', start: MOMENT, end: '2026-01-03T00:00:00.000Z', blocks: ['ingest'] },
    ]),
  );
}

/** Adds a disabled receiver: a restore disables receivers, so the rows of a copy are equal. */
async function addReceiver({ registry }: RegistryServer): Promise<void> {
  await registry.store.transaction(({ receivers }) =>
    receivers.add(
      ONLY_TENANT,
      newReceiver(
        {
          id: 'receiver',
          url: 'https://hooks.example.com/catalog',
          secret: 'a secret',
          previous_secret: 'an older secret',
          previous_secret_until: MOMENT,
          event_filter: ['layer.ingested'],
          debounce_ms: 30_000,
          ordered: true,
          disabled_by: 'restore',
          created_at: MOMENT,
        },
        0,
      ),
    ),
  );
}

/** Adds a signature, and the key set of a registry that no longer signs and starts without keys. */
async function addSignature({ registry }: RegistryServer): Promise<void> {
  const document = encodeKeySet({
    version: 1,
    expires_at: MOMENT,
    signing: 'ended',
    root_key: null,
    keys: [],
  });
  await registry.store.transaction(async ({ signatures, key_sets }) => {
    await key_sets.add({ version: 1, document, signatures: [] });
    await signatures.put(ONLY_TENANT, [
      {
        layer: 1,
        id: 'ops/deploy',
        version: '1.0.0',
        content_hash: `sha256:${'0'.repeat(64)}`,
        key_id: 'key',
        payload: '{}',
        signature: 'c2ln',
        signed_at: MOMENT,
      },
    ]);
  });
}

async function addReads({ registry }: RegistryServer): Promise<void> {
  await registry.store.transaction(async ({ read_log, artifact_usage }) => {
    const caller = { subject: 'Ada', caller_kind: 'subject', salt: 'a salt', commitment: 'a hash' };
    const artifact = { artifact: 'ops/deploy', version: '1.1.0', layer: 'base', name: 'deploy' };
    const read = {
      type: 'artifact.loaded',
      minute: MOMENT,
      tags: ['release'],
      detail: '',
    } as const;
    await read_log.append(ONLY_TENANT, [{ ...caller, ...artifact, ...read }]);
    await read_log.seal(ONLY_TENANT, { from: 0, to: 1, at: MOMENT });
    const use = { layer: 1, id: 'ops/deploy', version: '1.1.0', day: '2026-01-02' };
    await artifact_usage.add(ONLY_TENANT, [{ ...use, loads: 2, syncs: 3 }]);
  });
}
