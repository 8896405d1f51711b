import { Agent, request } from 'node:http';
import type { Store } from '@catalog/core/ports/store';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { openStore } from '@catalog/server/compose';
import { loadSettings } from '@catalog/server/config/load';
import type { Settings } from '@catalog/server/config/settings';
import { newLayer } from '@catalog/testkit/layer-record';
import { createDatabase, dropDatabase, prepareTemplate } from '@catalog/testkit/postgres-database';
import { INGESTED_LAYER, putArtifacts } from '../../../bench/fixtures/stored-catalog.ts';
import { startFromSource } from '../authz-matrix/source-process.ts';

export const ADMIN = 'adele';
const SCIM_TOKEN = 'the-token-of-the-directory';
export const LAYERS = { visibility: 'by-visibility', group: 'by-group' } as const;
export const GROUP = 'crew';

export interface Replicas {
  count: number;
  send(
    replica: number,
    who: { subject: string } | 'directory',
    wire: { method: string; path: string; body?: unknown },
  ): Promise<{ status: number; body: unknown }>;
  close(): Promise<void>;
}

export function artifactOf(layer: string): string {
  return `${layer}/tool`;
}

export async function openReplicas(folder: string): Promise<Replicas> {
  const { name, dsn } = await createDatabase(await prepareTemplate());
  const settings: Settings = {
    ...loadSettings({ cwd: folder, home: folder, env: {}, flags: { bind: '127.0.0.1:0' } })
      .settings,
    'store.type': 'postgres',
    'store.dsn': dsn,
    'store.pool_size': 4,
    'log.level': 'warn',
    'identity_provider.type': 'trusted-headers',
    'scim.tokens': [SCIM_TOKEN],
  };
  const store = await openStore(settings);
  try {
    await fill(store);
  } finally {
    await store.close();
  }
  const processes = [await startFromSource(settings), await startFromSource(settings)];
  const agents = processes.map(() => new Agent({ keepAlive: true }));
  return {
    count: processes.length,
    async send(replica, who, wire) {
      const headers =
        who === 'directory'
          ? { authorization: `Bearer ${SCIM_TOKEN}` }
          : { 'x-catalog-user-sub': who.subject };
      return exchange(processes[replica]?.url ?? '', agents[replica], wire, headers);
    },
    async close() {
      for (const agent of agents) agent.destroy();
      for (const process of processes) await process.stop();
      await dropDatabase(name);
    },
  };
}

async function fill(store: Store): Promise<void> {
  await store.transaction(({ grants }) =>
    grants.grant(ONLY_TENANT, {
      user_id: ADMIN,
      granted_at: new Date().toISOString(),
      granted_by: 'fixture',
    }),
  );
  for (const [place, id] of Object.values(LAYERS).entries()) {
    const groups = id === LAYERS.group ? [GROUP] : null;
    const layer = await store.transaction(({ layers }) =>
      layers.create(
        ONLY_TENANT,
        newLayer({ ...INGESTED_LAYER, id, organization: false, groups, order: 10 + 10 * place }),
      ),
    );
    const document = {
      id: artifactOf(id),
      type: 'rule',
      tags: [],
      name: 'tool',
      description: `About ${id}.`,
      when_to_use: [],
    };
    await putArtifacts(store, layer, [document]);
  }
}

function exchange(
  origin: string,
  agent: Agent | undefined,
  { method, path, body }: { method: string; path: string; body?: unknown },
  who: Readonly<Record<string, string>>,
): Promise<{ status: number; body: unknown }> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const type = path.startsWith('/scim') ? 'application/scim+json' : 'application/json';
  const headers = {
    ...who,
    ...(payload === undefined
      ? {}
      : { 'content-type': type, 'content-length': Buffer.byteLength(payload) }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${origin}${path}`, { method, agent, headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => (text += chunk));
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          body: text.startsWith('{') ? JSON.parse(text) : undefined,
        }),
      );
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}
