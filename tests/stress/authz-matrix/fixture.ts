import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LayerRecord, NewLayer } from '@catalog/core/ports/layers';
import type { Store, StoreWrites } from '@catalog/core/ports/store';
import { newReceiver } from '@catalog/core/webhook/kept-receiver';
import { ONLY_TENANT, type Tenant } from '@catalog/core/ports/tenant';
import { openStore } from '@catalog/server/compose';
import { loadSettings } from '@catalog/server/config/load';
import type { Settings } from '@catalog/server/config/settings';
import { openLog } from '@catalog/server/observe/log';
import { tenantId } from '@catalog/server/registry/access/tenant-id';
import { startRegistry } from '@catalog/server/start';
import { newLayer } from '@catalog/testkit/layer-record';
import { createDatabase, dropDatabase, prepareTemplate } from '@catalog/testkit/postgres-database';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { putArtifacts } from '../../../bench/fixtures/stored-catalog.ts';
import { callers, GROUP, layerClasses, type LayerClass } from './dimensions.ts';

/** Mark in the data of the other tenant, which no caller of this tenant must receive. */
export const CANARY = 'zqcanary';
export const TENANT_NAMES = { home: 'default', abroad: `${CANARY}-tenant`, inactive: 'asleep' };
/** Part of every host path of a layer. */
export const HOST_PATH = 'hostfolder';
export const WEBHOOK_SECRET = 'the secret of every layer of the matrix';
const LONG_AGO = '2020-01-01T00:00:00.000Z';
const LARGE = 270_000;

export interface Stage {
  engine: 'sqlite' | 'postgres';
  folder: string;
  settings(own: Partial<Settings>): Settings;
  close(): Promise<void>;
}

/** Returns the id of a layer. Layers for reads are never written, those for writes are empty. */
export function layerId(use: 'read' | 'write', { name }: LayerClass): string {
  return `${use}-${name}`;
}

export function artifactIn(layer: LayerClass): string {
  return `at-${layer.name}/tool`;
}

export function wordOf({ name }: LayerClass): string {
  return `word${name.replaceAll('-', '')}`;
}

export function largeFileOf({ name }: LayerClass): Buffer {
  return Buffer.alloc(LARGE, `the large file of ${name} `);
}

export function objectKeyOf(layer: LayerClass): string {
  return createHash('sha256').update(largeFileOf(layer)).digest('hex');
}

/** Builds the stage: contents by ingest, classes and states by direct writes to the store. */
export async function openStage(engine: Stage['engine'], folder: string): Promise<Stage> {
  mkdirSync(folder, { recursive: true });
  const database =
    engine === 'postgres' ? await createDatabase(await prepareTemplate()) : undefined;
  const settings = (own: Partial<Settings>): Settings => ({
    ...loadSettings({ cwd: folder, home: folder, env: {}, flags: { bind: '127.0.0.1:0' } })
      .settings,
    'store.sqlite_path': join(folder, 'catalog.db'),
    'object_store.filesystem_root': join(folder, 'objects'),
    'log.level': 'info',
    shutdown_timeout: 0,
    max_user_layers: -1,
    'web_ui.enabled': true,
    ...(database === undefined
      ? {}
      : { 'store.type': 'postgres', 'store.dsn': database.dsn, 'store.pool_size': 4 }),
    ...own,
  });
  await ingestContents(settings({}), folder);
  const store = await openStore(settings({}));
  try {
    await classifyLayers(store);
    await createTenants(store);
  } finally {
    await store.close();
  }
  return {
    engine,
    folder,
    settings,
    async close() {
      if (database !== undefined) await dropDatabase(database.name);
    },
  };
}

/** Ingests every layer for reads, which creates versions, edges, domains, objects and a job. */
async function ingestContents(settings: Settings, folder: string): Promise<void> {
  const { log } = openLog({
    level: 'silent',
    format: 'json',
    output: { write: () => true },
  });
  const running = await startRegistry(settings, log);
  try {
    for (const layer of storedClasses()) {
      const local_path = join(folder, HOST_PATH, layer.name);
      writeTree(local_path, filesOf(layer));
      const body = { id: layerId('read', layer), source_type: 'local', local_path };
      await send(`${running.url}/v1/layers`, 'POST', body);
    }
    while ((await running.listIngests()).length > 0) await delay(20);
    for (const layer of storedClasses()) {
      if (layer.state !== 'live') {
        await send(`${running.url}/v1/layers?id=${layerId('read', layer)}`, 'DELETE');
      }
    }
  } finally {
    await running.close();
  }
}

async function send(url: string, method: string, body?: unknown): Promise<void> {
  const answer = await fetch(url, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
}

function filesOf(layer: LayerClass): Record<string, string | Uint8Array> {
  const id = artifactIn(layer);
  const text = (name: string, more = ''): string =>
    `---\ntype: rule\nname: ${name}\nversion: 1.0.0\ndescription: About ${wordOf(layer)}.\n${more}---\nDo it.\n`;
  return {
    [`at-${layer.name}/DOMAIN.md`]: `---\ndescription: All of ${wordOf(layer)}.\n---\n`,
    [`${id}/ARTIFACT.md`]: text('tool'),
    [`${id}/large.txt`]: largeFileOf(layer),
    [`at-${layer.name}/child/ARTIFACT.md`]: text('child', `extends: ${id}@1.0.0\n`),
  };
}

function storedClasses(): LayerClass[] {
  return layerClasses.filter(({ state }) => state !== 'absent' && state !== 'expired');
}

async function classifyLayers(store: Store): Promise<void> {
  await store.transaction(async ({ layers }) => {
    let order = 0;
    for (const layer of layerClasses) {
      if (layer.state === 'absent') continue;
      for (const use of ['write', 'read'] as const) {
        const id = layerId(use, layer);
        const before = await layers.get(ONLY_TENANT, id);
        order += 10;
        const record = newLayer({ ...before, ...recordOf(layer, id), order });
        if (before === undefined) await layers.create(ONLY_TENANT, record);
        else await layers.replace(ONLY_TENANT, { ...before, ...record });
      }
    }
  });
}

function recordOf(layer: LayerClass, id: string): Partial<NewLayer> & { id: string } {
  const deleted_at = layer.state === 'expired' ? LONG_AGO : new Date().toISOString();
  return {
    id,
    ...sourceOf(layer.source, id),
    user_defined: layer.defined === 'user',
    owner: layer.owner,
    public: layer.public,
    organization: layer.organization,
    groups: layer.groups.length === 0 ? null : [...layer.groups],
    users: layer.users.length === 0 ? null : [...layer.users],
    deleted_at: layer.state === 'live' ? null : deleted_at,
    webhook_secret: layer.source === 'local' ? '' : WEBHOOK_SECRET,
    webhook_key: `key-of-${id}`,
  };
}

/** Returns a source on a git host that does not exist, because the matrix never ingests again. */
export function sourceOf(
  source: LayerClass['source'] | 'path',
  id: string,
): Pick<LayerRecord, 'source_type' | 'repo' | 'local_path'> {
  const repo = 'https://127.0.0.1:9/layer.git';
  const path = `/srv/${HOST_PATH}/${id}`;
  if (source === 'local') return { source_type: 'local', repo: '', local_path: path };
  if (source === 'file') return { source_type: 'git', repo: `file://${path}`, local_path: '' };
  if (source === 'path') return { source_type: 'git', repo: path, local_path: '' };
  return {
    source_type: 'git',
    repo,
    local_path: source === 'network-beside-path' ? path : '',
  };
}

/** Secret that must not appear in any response, event, log line or metric. */
export const RECEIVER_SECRET = `${CANARY} of a receiver`;

async function createTenants(store: Store): Promise<void> {
  const abroad = await store.transaction(async (writes) => {
    const tenant = await addTenant(writes, TENANT_NAMES.abroad, true);
    await addTenant(writes, TENANT_NAMES.inactive, false);
    const granted_at = new Date().toISOString();
    for (const { subject, admin_of } of callers) {
      if (admin_of === undefined) continue;
      const where = admin_of === 'home' ? ONLY_TENANT : tenant;
      await writes.grants.grant(where, { user_id: subject, granted_at, granted_by: 'fixture' });
    }
    await pushDirectory(writes);
    const { number } = await writes.layers.create(
      tenant,
      newLayer({ ...recordOf(PUBLIC, `${CANARY}-layer`), order: 10 }),
    );
    const receiver = {
      id: `${CANARY}-receiver`,
      url: `https://${CANARY}.example/hook`,
      secret: RECEIVER_SECRET,
      previous_secret: RECEIVER_SECRET,
      previous_secret_until: null,
      event_filter: null,
      debounce_ms: null,
      ordered: false,
      disabled_by: null,
      created_at: granted_at,
    };
    await writes.receivers.add(tenant, newReceiver(receiver, 0));
    return { tenant, number };
  });
  await putArtifacts(
    store,
    { id: `${CANARY}-layer`, number: abroad.number },
    [
      {
        id: `${CANARY}/tool`,
        type: 'rule',
        tags: [CANARY],
        name: CANARY,
        description: `About ${CANARY}.`,
        when_to_use: [],
      },
    ],
    abroad.tenant,
  );
}

async function pushDirectory({ directory }: StoreWrites): Promise<void> {
  const at = new Date().toISOString();
  const resource = (kind: 'User' | 'Group', name: string, active: boolean) => ({
    kind,
    id: randomUUID(),
    name,
    name_key: name.toLowerCase(),
    external_id: null,
    active,
    attributes: kind === 'User' ? { userName: name, active } : { displayName: name },
    created_at: at,
    modified_at: at,
    version: 1,
  });
  const group = resource('Group', GROUP, true);
  await directory.create(ONLY_TENANT, group);
  for (const { subject, directory: pushed } of callers) {
    if (pushed === undefined) continue;
    const user = resource('User', subject, pushed.active);
    await directory.create(ONLY_TENANT, user);
    await directory.addMembers(ONLY_TENANT, group.id, [user.id]);
  }
}

const PUBLIC: LayerClass = {
  name: 'abroad',
  state: 'live',
  defined: 'admin',
  owner: '',
  public: true,
  organization: true,
  groups: [],
  users: [],
  source: 'network',
};

async function addTenant({ tenants }: StoreWrites, name: string, active: boolean): Promise<Tenant> {
  const { tenant } = await tenants.create({
    id: tenantId(name),
    name,
    active,
    quota: {
      storage_bytes: 0,
      search_qps: 0,
      materialize_rate: 0,
      audit_volume_per_day: 0,
      max_user_layers: -1,
    },
    expose_scope_preview: null,
    extends_parents: null,
    created_at: new Date().toISOString(),
  });
  return tenant;
}
