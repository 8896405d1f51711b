import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statSync, symlinkSync, truncateSync, mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createLayers,
  newHead,
  sampleEvent,
  sampleLayer,
  sampleVersion,
} from '@catalog/core/conformance/samples.conformance';
import type { Store } from '@catalog/core/ports/store';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { migrations } from './migrations/table.ts';
import { openFile } from './connection/open-file.ts';
import { openSqliteStore } from './open-store.ts';

const OPEN_STORE = new URL('open-store.ts', import.meta.url).href;

function startChild(path: string, body: string): ChildProcess {
  const script = `
    import { openSqliteStore } from '${OPEN_STORE}';
    const store = await openSqliteStore({ path: process.argv[1] });
    ${body}`;
  const child = spawn(
    process.execPath,
    ['--conditions=@catalog/source', '--input-type=module', '-e', script, path],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function openForTest(path: string): Promise<Store> {
  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  return store;
}

describe('SQLite file', () => {
  test('is flushed at every commit and can be read during a write', async () => {
    const path = `${temporaryFolder()}/registry.db`;
    const file = await openFile(path, migrations);
    onTestFinished(() => file.close());
    const { writer, reader } = file;
    expect(writer.statement('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    expect(writer.statement('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(() => reader.exec('DELETE FROM layers')).toThrow('readonly');
  });

  test('has owner-only permissions and is created with its folders', async () => {
    const path = `${temporaryFolder()}/a/b/registry.db`;
    await openForTest(path);
    for (const suffix of ['', '-wal', '-shm']) {
      expect(statSync(path + suffix).mode & 0o077).toBe(0);
    }
  });

  test('keeps its content and revisions after a restart', async () => {
    const path = `${temporaryFolder()}/registry.db`;
    const first = await openSqliteStore({ path });
    const [layer] = await createLayers(first, 1, ['a']);
    const number = layer?.number ?? 0;
    await first.transaction(({ layers }) => layers.touch(1, number));
    const revision = await first.layers.revision(1);
    const known = await first.layers.get(1, 'a');
    await first.close();
    await first.close();
    const second = await openForTest(path);
    expect(await second.layers.revision(1)).toBe(revision);
    expect(await second.layers.get(1, 'a')).toEqual(known);
  });

  test('serves reads while a transaction is open', async () => {
    const store = await openForTest(`${temporaryFolder()}/registry.db`);
    const transactionStarted = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const written = store.transaction(async ({ layers }) => {
      await layers.create(1, sampleLayer('a'));
      transactionStarted.resolve();
      await end.promise;
    });
    await transactionStarted.promise;
    expect(await store.layers.list(1)).toEqual([]);
    end.resolve();
    await written;
    expect(await store.layers.list(1)).toHaveLength(1);
  });

  test('is closed after the running transaction', async () => {
    const path = `${temporaryFolder()}/registry.db`;
    const store = await openSqliteStore({ path });
    const written = store.transaction(async ({ layers }) => {
      await delay(5);
      await layers.create(1, sampleLayer('a'));
    });
    await Promise.all([store.close(), written]);
    expect(await (await openForTest(path)).layers.list(1)).toHaveLength(1);
  });
});

describe('second process', () => {
  test('is rejected while the first one uses the file, also under another name of the file', async () => {
    const folder = temporaryFolder();
    const path = `${folder}/registry.db`;
    const child = startChild(path, `process.stdout.write('open'); setInterval(() => {}, 1000);`);
    await once(child.stdout ?? child, 'data');
    const link = `${folder}/link.db`;
    symlinkSync(path, link);
    for (const name of [path, link]) {
      await expect(openSqliteStore({ path: name })).rejects.toMatchObject({
        code: 'config.invalid',
        message: `${path} is in use by another registry (process ${child.pid}). Only one process can use a SQLite file.`,
        details: { path },
        suggested_action: expect.stringContaining('Stop the other registry'),
      });
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    await openForTest(path);
  });

  test('finds all acknowledged writes of a killed process and no partial ones', async () => {
    const path = `${temporaryFolder()}/registry.db`;
    const acknowledged = { last: 0 };
    for (let round = 0; round < 4; round += 1) {
      const child = startChild(path, WRITE_FOR_EVER);
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        acknowledged.last = Number(text.trim().split('\n').at(-1));
      });
      const enough = acknowledged.last + 20;
      while (acknowledged.last < enough) await delay(2);
      await delay(round * 3);
      child.kill('SIGKILL');
      await once(child, 'close');
      const store = await openSqliteStore({ path });
      const { newest } = await store.outbox.bounds(1);
      expect(newest).toBeGreaterThanOrEqual(acknowledged.last);
      const events = await store.outbox.listAfter(1, 0, 100_000);
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
      const [layer] = await store.layers.list(1);
      const stack = [layer?.number ?? 0];
      const counts = await store.versions.countView(1, stack);
      expect(counts.artifact_count).toBe(newest * 3);
      const heads = await store.versions.listView(1, stack, { prefix: '', after: '', limit: 1e6 });
      expect(heads).toHaveLength(newest * 3);
      await store.close();
    }
  });
});

/** Program that prints the number of each transaction after its commit. */
const WRITE_FOR_EVER = `
  const head = (id) => ({
    layer: 1, id, version: '1.0.0', type: 'skill', name: id, description: '', when_to_use: [],
    tags: [], sensitivity: null, search_visibility: 'indexed', deprecated: false, replaced_by: null,
    content_hash: 'sha256:x', ingest_order: 1, ingested_at: '', frontmatter: null, edges: [],
    server_identifier: null,
  });
  const layer = {
    id: 'a', order: 10, user_defined: false, public: true, organization: true, groups: null,
    users: null, source_type: 'local', repo: '', ref: '', root: '', local_path: '', owner: '',
    git_provider: '', force_push_policy: '', created_at: '', deleted_at: null,
    last_ingested_at: null, last_ingested_ref: null, webhook_secret: '', webhook_key: '',
    source_state: null, frozen_since: null,
  };
  if ((await store.layers.list(1)).length === 0) {
    await store.transaction(({ layers }) => layers.create(1, layer));
  }
  let { newest } = await store.outbox.bounds(1);
  for (;;) {
    newest += 1;
    const event = { event: 'x', trace_id: '', timestamp: '', actor: {}, data: {} };
    await store.transaction(async ({ versions, outbox }) => {
      await versions.putHeads(1, 1, ['a', 'b', 'c'].map((part) => head(newest + '/' + part)));
      await outbox.append(1, [event]);
    });
    process.stdout.write(newest + '\\n');
    await new Promise(setImmediate);
  }`;

describe('SQLite file error', () => {
  test('of a full disk is reported with a code, and the store recovers', async () => {
    const small = {
      number: migrations.length + 1,
      name: 'small disk',
      checksum: 'sha256:0',
      readSql: () => 'PRAGMA max_page_count = 400',
    };
    const path = `${temporaryFolder()}/registry.db`;
    const store = await openSqliteStore({ path, migrations: [...migrations, small] });
    onTestFinished(() => store.close());
    const [keep = 0, drop = 0] = (await createLayers(store, 1, ['keep', 'drop'])).map(
      ({ number }) => number,
    );
    let stored = 0;
    const put = (layer: number, count: number): Promise<void> =>
      store.transaction(async ({ versions, outbox }) => {
        const ids = Array.from({ length: count }, (_, index) => `x/${stored + index}`);
        await versions.putVersions(
          1,
          'drop',
          ids.map((id) => sampleVersion({ id, layer, manifest: 'm'.repeat(2_000) })),
        );
        await versions.putHeads(
          1,
          layer,
          ids.map((id) => newHead({ id, layer })),
        );
        await outbox.append(1, [sampleEvent('put')]);
      });
    async function fill(): Promise<unknown> {
      for (;;) {
        try {
          await put(drop, 20);
          stored += 20;
        } catch (error) {
          return error;
        }
      }
    }
    expect(await fill()).toMatchObject({
      code: 'registry.unavailable',
      message: 'The metadata store is unavailable: the disk is full.',
    });
    expect(await store.versions.countView(1, [drop])).toMatchObject({ artifact_count: stored });
    expect(await store.outbox.bounds(1)).toMatchObject({ newest: stored / 20 });
    await store.probe();
    await store.transaction(({ layers }) => layers.purge(1, drop));
    await put(keep, 20);
    expect(await store.versions.countView(1, [keep])).toMatchObject({ artifact_count: 20 });
  });

  test('of a damaged file stops startup with a code', async () => {
    const path = `${temporaryFolder()}/registry.db`;
    const store = await openSqliteStore({ path });
    await createLayers(store, 1, ['a']);
    await store.close();
    truncateSync(path, 4096 * 3 + 17);
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('is corrupt'),
    });
  });

  test('of a folder at its path stops startup with a code', async () => {
    const path = `${temporaryFolder()}/registry.db`;
    mkdirSync(path);
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      code: 'config.invalid',
      details: { path },
    });
  });
});
