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
import { seededRandom } from '../../../tools/seeded-random.ts';

type Random = ReturnType<typeof seededRandom>;

/** Names of one kind of resource: hidden ones, and ones that do not exist. */
export interface NamePools {
  hidden: readonly string[];
  absent: readonly string[];
}

export interface SecretRegistry {
  settings: Settings;
  /** Domains that each contain an artifact `tool`. */
  domains: NamePools;
  objects: NamePools;
  layers: NamePools;
  deleted_layers: NamePools;
}

/** Registries in which the caller can read the same resources. */
export interface SecretStage {
  caller: Readonly<Record<string, string>>;
  /** Names that are hidden in one registry do not exist in the other, and differ in no other way. */
  registries: readonly [SecretRegistry, SecretRegistry];
  twin: Settings;
  close(): Promise<void>;
}

const POOL = 40;
const SEEN = 200;
const LARGE = 270_000;
const CALLER = { 'x-catalog-user-sub': 'oscar' };

export async function openSecretStage(
  engine: 'sqlite' | 'postgres',
  folder: string,
  seed: string,
): Promise<SecretStage> {
  const random = seededRandom(`secrecy ${seed}`);
  const names = {
    domains: namesOf(random, 'd'),
    layers: namesOf(random, 'l'),
    deleted_layers: namesOf(random, 'g'),
  };
  const exchanged = {
    domains: exchange(names.domains),
    layers: exchange(names.layers),
    deleted_layers: exchange(names.deleted_layers),
  };
  const seen = visibleNames(random, names.domains);
  const one = await openPlace(engine, join(folder, 'one'));
  const other = await openPlace(engine, join(folder, 'other'));
  const twin = await openPlace(engine, join(folder, 'twin'));
  await ingest(twin, { seen });
  return {
    caller: CALLER,
    registries: [await fill(one, seen, names), await fill(other, seen, exchanged)],
    twin: served(twin),
    async close() {
      for (const place of [one, other, twin]) await place.remove();
    },
  };
}

function exchange({ hidden, absent }: NamePools): NamePools {
  return { hidden: absent, absent: hidden };
}

async function fill(
  place: Place,
  seen: readonly string[],
  names: Pick<SecretRegistry, 'domains' | 'layers' | 'deleted_layers'>,
): Promise<SecretRegistry> {
  const { hidden, absent } = names.domains;
  await ingest(place, { seen, unseen: hidden });
  await hide(place, names.layers.hidden, names.deleted_layers.hidden);
  const hashes = (domains: readonly string[]): string[] =>
    domains.map((name) => hashOf(largeFileOf(name)));
  return {
    settings: served(place),
    ...names,
    objects: { hidden: hashes(hidden), absent: hashes(absent) },
  };
}

function served({ settings }: Place): Settings {
  return { ...settings, 'identity_provider.type': 'trusted-headers' };
}

interface Place {
  folder: string;
  settings: Settings;
  remove(): Promise<void>;
}

async function openPlace(engine: 'sqlite' | 'postgres', folder: string): Promise<Place> {
  mkdirSync(folder, { recursive: true });
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
  return {
    folder,
    settings,
    async remove() {
      if (database !== undefined) await dropDatabase(database.name);
    },
  };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');

/** Creates names of the same length, in letters only, which typo correction handles. */
function namesOf(random: Random, letter: string): NamePools {
  const names = (): string[] => Array.from({ length: POOL }, () => nameOf(random, letter));
  return { hidden: names(), absent: names() };
}

function nameOf(random: Random, letter: string): string {
  return letter + Array.from({ length: 9 }, () => random.pick(LETTERS)).join('');
}

/** Includes a variant of every other name with one different letter, for typo correction. */
function visibleNames(random: Random, { hidden, absent }: NamePools): string[] {
  const guessed = [hidden, absent].flatMap((names) => names.filter((_, place) => place % 2 === 0));
  const near = guessed.map((name) => {
    const place = 7;
    const others = LETTERS.filter((letter) => letter !== name[place]);
    return name.slice(0, place) + random.pick(others) + name.slice(place + 1);
  });
  const others = Array.from({ length: SEEN - near.length }, () => nameOf(random, 's'));
  return [...near, ...others];
}

function largeFileOf(name: string): Buffer {
  return Buffer.alloc(LARGE, `the large file of ${name} `);
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function ingest(
  { folder, settings }: Place,
  contents: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const { log } = openLog({ level: 'silent', format: 'json', output: { write: () => true } });
  const running = await startRegistry(settings, log);
  try {
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
    await untilEmbedded(running.registry.store);
  } finally {
    await running.close();
  }
}

/** Waits for the embeddings, because responses change until then. */
async function untilEmbedded({ embeddings }: Store): Promise<void> {
  for (;;) {
    const models = await embeddings.listModels();
    const counts = await Promise.all(models.map(({ name }) => embeddings.countWaiting(name)));
    const isComplete = models.length > 0 && models.every(({ ready }) => ready);
    if (isComplete && counts.every(({ waiting }) => waiting === 0)) return;
    await delay(20);
  }
}

async function hide(
  { settings }: Place,
  live: readonly string[],
  deleted: readonly string[],
): Promise<void> {
  const store = await openStore(settings);
  try {
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
  } finally {
    await store.close();
  }
}
