import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { openTestBucket } from '@catalog/testkit/s3-bucket';
import { startS3Proxy } from '@catalog/testkit/s3-proxy';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openSettings, startVariedRegistry } from '@catalog/testkit/varied-registry';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { verify } from '../compose-operations.ts';
import { openObjects } from '../compose.ts';
import type { Settings } from '../config/settings.ts';
import type { OperationHooks } from './operation-hooks.ts';
import { ADVICE } from './verify-findings.ts';

const hooks: OperationHooks = { report: () => undefined, signal: new AbortController().signal };

const folder = mkdtempSync(join(tmpdir(), 'catalog-verify-'));
let whole: Settings;
beforeAll(async () => {
  whole = await openSettings('standalone', folder);
  await (await startVariedRegistry(whole)).close();
});
afterAll(() => rmSync(folder, { recursive: true }));

function copyRegistry(): Settings {
  const copy = temporaryFolder();
  const settings = {
    ...whole,
    'store.sqlite_path': join(copy, 'catalog.db'),
    'object_store.filesystem_root': join(copy, 'objects'),
  };
  cpSync(whole['store.sqlite_path'], settings['store.sqlite_path']);
  cpSync(whole['object_store.filesystem_root'], settings['object_store.filesystem_root'], {
    recursive: true,
  });
  return settings;
}

function findObject(settings: Settings): string {
  const root = join(settings['object_store.filesystem_root'], '1');
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return join(root, paths.find((path) => /[0-9a-f]{64}$/.test(path)) ?? '');
}

const CHANGES: [kind: string, sql: string][] = [
  ['bytes-missing', 'DELETE FROM blobs'],
  ['bytes-differ', "UPDATE blobs SET bytes = x'00'"],
  ['content-hash-differs', "UPDATE versions SET manifest = manifest || ' ' WHERE id = 'ops/old'"],
  ['content-hash-differs', `UPDATE versions SET files = replace(files, '"run.sh"', '"rum.sh"')`],
  ['authored-hash-differs', "UPDATE versions SET authored_hash = '' WHERE id = 'ops/old'"],
  ['ledger-missing', "DELETE FROM version_ledger WHERE id = 'ops/old'"],
  ['ledger-differs', "UPDATE version_ledger SET authored_hash = '' WHERE id = 'team/child'"],
  ['layer-missing', "DELETE FROM layer_numbers WHERE id = 'team'"],
  ['head-differs', "UPDATE heads SET description = 'Other.' WHERE id = 'ops/old'"],
  ['head-without-version', "DELETE FROM versions WHERE id = 'ops/old'"],
  ['series-behind', 'UPDATE tenants SET event_sequence = 1'],
  ['series-behind', 'UPDATE tenants SET ingest_order = 1'],
  ['series-behind', 'UPDATE tenants SET audit_position = 1'],
  ['count-differs', 'UPDATE head_counts SET heads = heads + 1'],
  ['count-differs', 'UPDATE search_layers SET documents = documents + 1'],
  ['count-differs', "UPDATE domains SET recursive_count = 7 WHERE path = ''"],
  ['tenant-missing', 'UPDATE admin_grants SET tenant = 7'],
  ['member-missing', "UPDATE directory_members SET user_id = 'nobody'"],
  ['tenant-missing', 'INSERT INTO tenants (tenant) VALUES (7)'],
  ['restore-pending', "INSERT INTO restores VALUES (1, 'archive', '{}')"],
];

describe('verification', () => {
  test('finds no problems in an intact store', async () => {
    expect(await verify(whole, { fast: false }, hooks)).toEqual({
      checked: {
        tenants: 1,
        admin_grants: 1,
        directory_resources: expect.any(Number),
        layers: 3,
        versions: 12,
        heads: 9,
        files: 4,
        bytes: expect.any(Number),
        events: expect.any(Number),
        audit_records: expect.any(Number),
      },
      findings: [],
      finding_count: 0,
    });
  });

  test.each(CHANGES)('reports %s after: %s', async (kind, sql) => {
    const settings = copyRegistry();
    const database = new DatabaseSync(settings['store.sqlite_path']);
    const { changes } = database.prepare(sql).run();
    database.close();
    expect(changes).toBeGreaterThan(0);
    const { findings, finding_count } = await verify(settings, { fast: false }, hooks);
    expect(findings.map((finding) => finding.kind)).toContain(kind);
    expect(finding_count).toBe(findings.length);
  });

  test('finds missing, truncated and changed objects', async () => {
    const settings = copyRegistry();
    const object = findObject(settings);
    async function kinds(fast: boolean): Promise<string[]> {
      const { findings } = await verify(settings, { fast }, hooks);
      return [...new Set(findings.map(({ kind }) => kind))];
    }
    writeFileSync(object, 'y'.repeat(300_000));
    expect(await kinds(true)).toEqual([]);
    expect(await kinds(false)).toEqual(['bytes-differ']);
    writeFileSync(object, 'x');
    expect(await kinds(true)).toEqual(['bytes-differ']);
    expect(await kinds(false)).toEqual(['bytes-differ']);
    rmSync(object);
    expect(await kinds(true)).toEqual(['bytes-missing']);
    expect(await kinds(false)).toEqual(['bytes-missing']);
  });

  test('finds an object store of another database', async () => {
    const settings = copyRegistry();
    const look = async (changed: Partial<Settings> = {}): Promise<unknown[]> => {
      const { findings } = await verify({ ...settings, ...changed }, { fast: true }, hooks);
      return findings.map(({ kind, message }) => `${kind}: ${message} ${ADVICE[kind]}`);
    };
    const bucket = await openTestBucket();
    onTestFinished(() => bucket.empty());
    expect((await look(bucket.settings))[0]).toMatch(
      /^object-store-unclaimed: .*has no owner.*catalog admin adopt-bucket/,
    );
    await (await openObjects(settings)).setOwner('another database', { replace: true });
    expect(await look()).toEqual([
      expect.stringMatching(
        /^object-store-foreign: .*belongs to another database.*catalog admin adopt-bucket/,
      ),
    ]);
  });

  test('does not report damage if the connection breaks', async () => {
    const bucket = await openTestBucket();
    onTestFinished(() => bucket.empty());
    const proxy = await startS3Proxy(bucket.options.endpoint ?? '');
    onTestFinished(() => proxy.close());
    const settings = {
      ...copyRegistry(),
      ...bucket.settings,
      'object_store.endpoint': proxy.url,
    };
    const bytes = readFileSync(findObject(settings));
    const objects = await openObjects(settings);
    await objects.put(1, bytesHash(bytes), bytes);
    await objects.setOwner((await (await openObjects(whole)).getOwner()) ?? '', { replace: false });
    const look = (): ReturnType<typeof verify> => verify(settings, { fast: false }, hooks);
    expect(await look()).toMatchObject({ finding_count: 0 });
    proxy.fault = ({ method }) => (method === 'GET' ? { kind: 'cut_answer' } : undefined);
    await expect(look()).rejects.toMatchObject({ code: 'registry.unavailable' });
    proxy.fault = ({ method }) => (method === 'GET' ? { kind: 'corrupt_answer' } : undefined);
    expect((await look()).findings.map(({ kind }) => kind)).toContain('bytes-differ');
  });
});
