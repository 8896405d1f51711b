import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { OWNER_FILE } from '@catalog/server/adapters/objects/owner-file';
import { openTestBucket } from '@catalog/testkit/s3-bucket';
import { describe, expect, onTestFinished, test } from 'vitest';
import { until } from './until.ts';
import { OPS, openWorkspace, type Workspace } from './workspace.ts';

const MODEL = 'model '.repeat(50_000);
const DAY_MS = 86_400_000;

async function serveOnce(workspace: Workspace, env = {}): Promise<void> {
  const running = workspace.start(
    `serve --json --bind 127.0.0.1:0 --layer-path ${workspace.registry}`,
    env,
  );
  await until('the first ingest', () =>
    running.output().stderr.includes('"ingest done"') ? true : undefined,
  );
  running.signal('SIGTERM');
  await running.ended;
}

function openWithModel(): Workspace {
  return openWorkspace({
    ...OPS,
    'ops/model/ARTIFACT.md':
      '---\ntype: rule\nversion: 1.0.0\ndescription: Which model to use for greetings.\n---\nUse it.\n',
    'ops/model/assets/model.txt': MODEL,
  });
}

describe('catalog admin gc', () => {
  test('lists removable objects, removes them with --yes, and keeps young and referenced objects', async () => {
    const workspace = openWithModel();
    await serveOnce(workspace);
    const objects = join(workspace.home, '.catalog/standalone/objects');
    const put = (text: string, days: number): string => {
      const hex = bytesHash(text).slice('sha256:'.length);
      const path = join(objects, '1', hex.slice(0, 2), hex.slice(2, 4), hex);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      const stored = new Date(Date.now() - days * DAY_MS);
      utimesSync(path, stored, stored);
      return hex;
    };
    const kept = [put(MODEL, 9), put('young', 0.5), put('a week old', 5)];
    const gone = put('nobody', 9);
    const looked = await workspace.json('admin gc --min-age 7d');
    expect(looked.document).toMatchObject({
      dry_run: true,
      min_age_seconds: 7 * 86_400,
      examined: { objects: 4 },
      unreferenced: { objects: 1, bytes: 6 },
    });
    const hashes = (): string[] =>
      readdirSync(objects, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== OWNER_FILE)
        .map(({ name }) => name)
        .toSorted();
    expect(hashes()).toEqual([...kept, gone].toSorted());
    const { stdout } = await workspace.ok('admin gc --yes --min-age 7d');
    expect(stdout).toContain('Removed 1 file, 6 B (of 4 files');
    expect(hashes()).toEqual(kept.toSorted());
  });

  test('works on a bucket, with configured keys and with those of the machine', async () => {
    const bucket = await openTestBucket();
    onTestFinished(() => bucket.empty());
    const { options } = bucket;
    const { access_key_id = '', secret_access_key = '' } = options.credentials ?? {};
    const place = {
      CATALOG_OBJECT_STORE: 's3',
      CATALOG_S3_ENDPOINT: options.endpoint ?? '',
      CATALOG_S3_BUCKET: options.bucket,
      CATALOG_S3_PREFIX: options.prefix,
      CATALOG_S3_FORCE_PATH_STYLE: 'true',
    };
    const own = {
      ...place,
      CATALOG_S3_ACCESS_KEY_ID: access_key_id,
      CATALOG_S3_SECRET_ACCESS_KEY: secret_access_key,
    };
    const machine = {
      ...place,
      AWS_ACCESS_KEY_ID: access_key_id,
      AWS_SECRET_ACCESS_KEY: secret_access_key,
    };
    const workspace = openWithModel();
    await serveOnce(workspace, own);
    for (const env of [own, machine]) {
      const { document } = await workspace.json('admin gc --yes', env);
      expect(document).toMatchObject({
        examined: { objects: 1, bytes: MODEL.length },
        unreferenced: { objects: 0 },
      });
    }
    const shown = await workspace.ok('config show --server --json', own);
    expect(shown.stdout).toContain(access_key_id);
    expect(shown.stdout).not.toContain(secret_access_key);
  });

  test('rejects a store in use, and an age below the minimum', async () => {
    const workspace = openWithModel();
    const running = workspace.start('serve --json --bind 127.0.0.1:0');
    await running.waitFor('stdout', /^\{.*\}$/m);
    const busy = await workspace.error('admin gc');
    expect(busy.error.message).toMatch(/in use|another process/);
    const young = await workspace.error('admin gc --min-age 5m');
    expect(young).toMatchObject({ code: 2, error: { code: 'config.usage' } });
  });
});
