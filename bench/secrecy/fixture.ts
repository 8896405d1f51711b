import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '@catalog/core/ports/store';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { openStore } from '@catalog/server/compose';
import { loadSettings } from '@catalog/server/config/load';
import type { Settings } from '@catalog/server/config/settings';
import { openLog } from '@catalog/server/observe/log';
import { startRegistry } from '@catalog/server/start';
import { newLayer } from '@catalog/testkit/layer-record';
import { createDatabase, dropDatabase, prepareTemplate } from '@catalog/testkit/postgres-database';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { seededRandom } from '../../tools/seeded-random.ts';

type Random = ReturnType<typeof seededRandom>;

/** Things of one kind that somebody may ask for: those that are hidden, and those that are not there. */
export interface Asked {
  hidden: readonly string[];
  absent: readonly string[];
}

/** A registry with things that its caller does not see. */
export interface SecretStage {
  settings: Settings;
  caller: Readonly<Record<string, string>>;
  /** Domains, with an artifact `tool` in each. */
  domains: Asked;
  objects: Asked;
  layers: Asked;
  deleted_layers: Asked;
  close(): Promise<void>;
}

/** Of each kind. */
const POOL = 40;
const SEEN = 200;
const LARGE = 270_000;
const CALLER = { 'x-catalog-user-sub': 'oscar' };

export async function openSecretStage(
  engine: 'sqlite' | 'postgres',
  folder: string,
  seed: string,
): Promise<SecretStage> {
  mkdirSync(folder, { recursive: true });
  const random = seededRandom(`secrecy ${seed}`);
  const database =
    engine === 'postgres' ? await createDatabase(await prepareTemplate()) : undefined;
  const settings: Settings = {
    ...loadSettings({ cwd: folder, home: folder, env: {}, flags: { bind: '127.0.0.1:0' } })
      .settings,
    'store.sqlite_path': join(folder, 'catalog.db'),
    'object_store.filesystem_root': join(folder, 'objects'),
    'log.level': 'warn',
    shutdown_timeout: 0,
    ...(database === undefined
      ? {}
      : { 'store.type': 'postgres', 'store.dsn': database.dsn, 'store.pool_size': 4 }),
  };
  const domains = namesOf(random, 'd');
  await ingestBoth(settings, folder, domains.hidden, random);
  const store = await openStore(settings);
  try {
    const layers = namesOf(random, 'l');
    const deleted_layers = namesOf(random, 'g');
    await hide(store, layers.hidden, deleted_layers.hidden);
    return {
      settings: { ...settings, 'identity_provider.type': 'trusted-headers' },
      caller: CALLER,
      domains,
      objects: {
        hidden: domains.hidden.map((name) => hashOf(largeFileOf(name))),
        absent: domains.absent.map((name) => hashOf(largeFileOf(name))),
      },
      layers,
      deleted_layers,
      async close() {
        if (database !== undefined) await dropDatabase(database.name);
      },
    };
  } finally {
    await store.close();
  }
}

/** Names of one length; which of them are of something hidden cannot be told from them. */
function namesOf(random: Random, letter: string): Asked {
  const name = (): string => `${letter}${String(random.int(1e9)).padStart(9, '0')}`;
  return {
    hidden: Array.from({ length: POOL }, name),
    absent: Array.from({ length: POOL }, name),
  };
}

function largeFileOf(name: string): Buffer {
  return Buffer.alloc(LARGE, `the large file of ${name} `);
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What the caller sees, and beside it a layer of which it sees nothing. */
async function ingestBoth(
  settings: Settings,
  folder: string,
  hidden: readonly string[],
  random: Random,
): Promise<void> {
  const { log } = openLog({ level: 'silent', format: 'json', output: { write: () => true } });
  const running = await startRegistry(settings, log);
  try {
    const seen = Array.from({ length: SEEN }, (_, place) => `s${place}x${random.int(1e6)}`);
    const contents = { seen, unseen: hidden };
    for (const [id, names] of Object.entries(contents)) {
      const local_path = join(folder, 'layers', id);
      for (const name of names) {
        const large = id === 'unseen' ? { 'large.txt': largeFileOf(name) } : {};
        const text = (kind: string, more = ''): string =>
          `---\ntype: rule\nname: ${kind}\nversion: 1.0.0\ndescription: About ${name}.\n${more}---\nDo it.\n`;
        writeTree(join(local_path, name), {
          'DOMAIN.md': `---\ndescription: All of ${name}.\n---\n`,
          'tool/ARTIFACT.md': text('tool'),
          'child/ARTIFACT.md': text('child', `extends: ${name}/tool@1.0.0\n`),
          ...Object.fromEntries(
            Object.entries(large).map(([path, bytes]) => [`tool/${path}`, bytes]),
          ),
        });
      }
      const answer = await fetch(`${running.url}/v1/layers`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id, source_type: 'local', local_path, organization: true }),
      });
      if (!answer.ok) throw new Error(await answer.text());
    }
    while ((await running.listIngests()).length > 0) await delay(20);
  } finally {
    await running.close();
  }
}

async function hide(
  store: Store,
  live: readonly string[],
  deleted: readonly string[],
): Promise<void> {
  await store.transaction(async ({ layers }) => {
    const unseen = await layers.get(ONLY_TENANT, 'unseen');
    if (unseen === undefined) throw new Error('nothing to hide');
    await layers.replace(ONLY_TENANT, { ...unseen, organization: false });
    const deleted_at = new Date().toISOString();
    for (const [place, id] of [...live, ...deleted].entries()) {
      await layers.create(
        ONLY_TENANT,
        newLayer({
          id,
          order: 100 + 10 * place,
          organization: false,
          user_defined: place % 2 === 0,
          owner: place % 2 === 0 ? 'ophelia' : '',
          users: place % 2 === 0 ? ['ophelia'] : null,
          source_type: 'git',
          repo: 'https://127.0.0.1:9/layer.git',
          local_path: '',
          webhook_secret: 'a secret',
          webhook_key: `key-${id}`,
          deleted_at: place < live.length ? null : deleted_at,
        }),
      );
    }
  });
}
