import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ARCHIVE_VERSION } from '@catalog/server/adapters/archive/manifest';
import { migrations } from '@catalog/server/adapters/store/postgres/migrations/table';
import { migrations as fileMigrations } from '@catalog/server/adapters/store/sqlite/migrations/table';
import { describe, expect, test } from 'vitest';
import { openStandardBackend } from './standard-backend.ts';
import { until } from './until.ts';
import { OPS, openWorkspace, type Workspace } from './workspace.ts';

const SLOW = { timeout: 120_000 };

async function serveOnce(workspace: Workspace): Promise<void> {
  const running = workspace.start(
    `serve --json --bind 127.0.0.1:0 --layer-path ${workspace.registry}`,
  );
  await until('the first ingest', () => running.output().stderr.includes('ingest done'));
  running.signal('SIGTERM');
  expect((await running.ended).code).toBe(0);
}

const LARGE = { 'ops/ref/terms/large.txt': 'x'.repeat(300_000) };
const VERSIONS = 7;

describe('catalog admin', () => {
  test(
    'backs up a standalone registry, restores it at another path and verifies it',
    SLOW,
    async () => {
      const workspace = openWorkspace({ ...OPS, ...LARGE });
      await serveOnce(workspace);
      expect((await workspace.ok('admin backup copy')).stdout).toBe(
        `Backed up ${VERSIONS} versions in 1 layer, 1 object of 293.0 KiB to copy\n`,
      );
      const manifest = JSON.parse(readFileSync(join(workspace.root, 'copy/manifest.json'), 'utf8'));
      expect(manifest).toMatchObject({
        format: 'catalog-archive',
        format_version: ARCHIVE_VERSION,
      });

      const otherPaths = {
        CATALOG_SQLITE_PATH: 'new/catalog.db',
        CATALOG_FILESYSTEM_ROOT: 'new/objects',
      };
      const restored = await workspace.ok('admin restore copy', otherPaths);
      expect(restored.stdout).toMatch(
        /^Restored 7 versions in 1 layer, 1 object of 293\.0 KiB\nok {2}7 versions in 1 layer, 5 files, [\d.]+ KiB: no problems\n$/,
      );
      const { document } = await workspace.json('admin verify --fast', otherPaths);
      expect(document).toMatchObject({ ok: true, checked: { versions: VERSIONS }, findings: [] });

      const again = await workspace.error('admin restore copy', otherPaths);
      expect(again).toMatchObject({ code: 2, error: { code: 'config.invalid' } });
      expect(again.error.message).toContain('not empty');
      const twice = await workspace.error('admin backup copy');
      expect(twice.error.message).toContain('contains a backup');
    },
  );

  test('keeps the newest backups of a folder', SLOW, async () => {
    const workspace = openWorkspace(OPS);
    await serveOnce(workspace);
    const first = await workspace.ok('admin backup backups --keep 1');
    expect(first.stdout).toMatch(
      /^Backed up 7 versions in 1 layer to backups\/\d{4}-\d\d-\d\dT\d{6}Z\n$/,
    );
    const [name = ''] = readdirSync(join(workspace.root, 'backups'));
    const old = '2026-01-02T030405Z';
    renameSync(join(workspace.root, 'backups', name), join(workspace.root, 'backups', old));
    const second = await workspace.ok('admin backup backups --keep 1');
    expect(second.stdout).toMatch(/\nRemoved backups\/2026-01-02T030405Z\n$/);
    expect(readdirSync(join(workspace.root, 'backups'))).toHaveLength(1);
    const { code, error } = await workspace.error('admin backup backups --keep 0');
    expect({ code, message: error.message }).toEqual({
      code: 2,
      message: '--keep must be a number from 1 to 99999, not 0.',
    });
  });

  test('reports corruption with the next step, and fails', SLOW, async () => {
    const workspace = openWorkspace({ ...OPS, ...LARGE });
    await serveOnce(workspace);
    const objects = join(workspace.home, '.catalog/standalone/objects/1');
    rmSync(objects, { recursive: true });
    const { code, stdout } = await workspace.run('admin verify');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^1 finding in 7 versions/);
    expect(stdout).toContain('bytes-missing  Restore the content');
    expect(stdout).toMatch(
      /registry\/ops\/ref\/terms@1\.0\.0 {2}The object sha256:[0-9a-f]{64} is missing\./,
    );
    const { document } = await workspace.json('admin verify');
    expect(document).toMatchObject({
      ok: false,
      finding_count: 1,
      findings: [{ kind: 'bytes-missing', suggested_action: expect.stringContaining('backup') }],
    });
  });

  test('prepares a database, and moves a standalone registry there and back', SLOW, async () => {
    const workspace = openWorkspace({ ...OPS, ...LARGE });
    await serveOnce(workspace);
    const { env, owner, role } = await openStandardBackend();
    const admin = { ...env, ...owner };

    const refused = await workspace.error('admin migrate', env);
    expect(refused.error.message).toContain('store.migration_dsn is required but not set');
    const steps = migrations.map(({ number, name }) => ({ number, name }));
    const planned = await workspace.json('admin migrate --dry-run', admin);
    expect(planned.document).toEqual({
      dry_run: true,
      store: 'postgres',
      steps,
      role: { name: role, missing: 'role' },
      contract: 'none',
    });
    expect((await workspace.ok('admin migrate', admin)).stdout).toBe(
      [
        `Applied ${steps.length} migrations`,
        ...steps.map(({ number, name }) => `  ${number} ${name}`),
        `Created role ${role}, a member of catalog_program`,
        '',
      ].join('\n'),
    );
    expect((await workspace.ok('admin migrate', admin)).stdout).toBe('The schema is up to date\n');

    const standalone = await workspace.error('admin migrate-to-standard');
    expect(standalone.error.message).toContain('do not describe a standard deployment');
    const ownerless = await workspace.error('admin migrate-to-standard', env);
    expect(ownerless.error.message).toContain('store.migration_dsn is required but not set');
    const plan = await workspace.json('admin migrate-to-standard --dry-run', admin);
    expect(plan.document).toMatchObject({ dry_run: true, rows: { layers: 1, versions: VERSIONS } });
    const moved = await workspace.ok('admin migrate-to-standard', admin);
    expect(moved.stdout).toContain(
      `Migrated ${VERSIONS} versions in 1 layer, 1 object of 293.0 KiB\nok`,
    );

    const running = workspace.start('serve --json --bind 127.0.0.1:0', env);
    const [line] = await running.waitFor('stdout', /^\{.*\}$/m);
    const { url }: { url: string } = JSON.parse(line);
    const loaded = await fetch(`${url}/v1/load_artifact?id=ops/ref/terms`);
    expect(await loaded.json()).toMatchObject({ id: 'ops/ref/terms', layer: 'registry' });
    running.signal('SIGTERM');
    await running.ended;

    await workspace.ok('admin backup copy', admin);
    const back = {
      CATALOG_SQLITE_PATH: 'back/catalog.db',
      CATALOG_FILESYSTEM_ROOT: 'back/objects',
    };
    const restored = await workspace.ok('admin restore copy', back);
    expect(restored.stdout).toContain('no problems');
  });

  test('migrates a SQLite file without starting the registry', SLOW, async () => {
    const workspace = openWorkspace();
    const planned = await workspace.json('admin migrate --dry-run');
    expect(planned.document).toEqual({
      dry_run: true,
      store: 'sqlite',
      steps: fileMigrations.map(({ number, name }) => ({ number, name })),
      role: null,
      contract: 'none',
    });
    expect(existsSync(join(workspace.home, '.catalog'))).toBe(false);
    const { stdout } = await workspace.ok('admin migrate');
    expect(stdout).toContain(`Applied ${fileMigrations.length} migrations\n  1 store\n`);
    expect((await workspace.ok('admin migrate')).stdout).toBe('The schema is up to date\n');
  });

  test('does not change a folder that is not a backup', SLOW, async () => {
    const workspace = openWorkspace();
    writeFileSync(join(workspace.root, 'letter.txt'), 'Dear');
    const nothing = await workspace.error('admin backup .');
    expect(nothing).toMatchObject({ code: 2, error: { code: 'config.invalid' } });
    expect(readdirSync(workspace.root)).toEqual(['letter.txt']);
    expect((await workspace.error('admin restore .')).error.message).toContain(
      'not a complete backup',
    );
  });
});
