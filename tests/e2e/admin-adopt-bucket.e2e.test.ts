import { openTestBucket } from '@catalog/testkit/s3-bucket';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OPS, openWorkspace, type Workspace } from './workspace.ts';

async function openOnBucket(): Promise<{
  workspace: Workspace;
  object_store: string;
  on: (file: string) => Record<string, string>;
}> {
  const bucket = await openTestBucket();
  onTestFinished(() => bucket.empty());
  const { options } = bucket;
  const workspace = openWorkspace(OPS);
  const { access_key_id = '', secret_access_key = '' } = options.credentials ?? {};
  return {
    workspace,
    object_store: `s3://${options.bucket}/${options.prefix}`,
    on: (file) => ({
      CATALOG_SQLITE_PATH: `${workspace.home}/${file}`,
      CATALOG_OBJECT_STORE: 's3',
      CATALOG_S3_ENDPOINT: options.endpoint ?? '',
      CATALOG_S3_BUCKET: options.bucket,
      CATALOG_S3_PREFIX: options.prefix,
      CATALOG_S3_FORCE_PATH_STYLE: 'true',
      CATALOG_S3_ACCESS_KEY_ID: access_key_id,
      CATALOG_S3_SECRET_ACCESS_KEY: secret_access_key,
    }),
  };
}

async function serveOnce(workspace: Workspace, env: Record<string, string>): Promise<void> {
  const running = workspace.start('serve --json --bind 127.0.0.1:0', env);
  await running.waitFor('stdout', /^\{.*\}$/m);
  running.signal('SIGTERM');
  await running.ended;
}

describe('catalog admin adopt-bucket', () => {
  test('shows the owner, and assigns the bucket to this database with --yes', async () => {
    const { workspace, object_store, on } = await openOnBucket();
    await serveOnce(workspace, on('first.db'));
    const refused = await workspace.error('serve --bind 127.0.0.1:0', on('second.db'));
    expect(refused).toMatchObject({
      code: 2,
      error: {
        code: 'config.invalid',
        message: expect.stringContaining('belongs to another database'),
        suggested_action: expect.stringContaining('catalog admin adopt-bucket'),
      },
    });
    const looked = await workspace.json('admin adopt-bucket', on('second.db'));
    expect(looked.document).toMatchObject({ dry_run: true, object_store, adopted: false });
    const { stdout } = await workspace.ok('admin adopt-bucket', on('second.db'));
    expect(stdout).toContain('The object store belongs to another database');
    expect(stdout).toContain('catalog admin adopt-bucket --yes');
    const adopted = await workspace.json('admin adopt-bucket --yes', on('second.db'));
    expect(adopted.document).toMatchObject({ dry_run: false, object_store, adopted: true });
    await serveOnce(workspace, on('second.db'));
    const again = await workspace.json('admin adopt-bucket --yes', on('second.db'));
    expect(again.document).toMatchObject({ adopted: false });
    const former = await workspace.error('admin gc --yes', on('first.db'));
    expect(former.error.message).toContain('belongs to another database');
  });
});
