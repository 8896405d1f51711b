import { copyFileSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import { peerFingerprint } from '@catalog/testkit/peer-fingerprint';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startPostgresCluster } from '../../tools/services/postgres-cluster.ts';
import { installPostgres } from '../../tools/services/postgres-program.ts';
import { startS3 } from '../../tools/services/s3.ts';
import { renderChart } from '../deploy/render-chart.ts';
import { openAdminPod } from './admin-pod.ts';
import { openReader, type Reader, type Terminal } from './follow-page.ts';
import { openPage, succeed, untilReady, variableOf } from './walk-page.ts';

const BUCKET = 'catalog-objects';
const PREFIX = 'registry';
const PASSWORDS = { catalog: 'one', catalog_owner: 'two', catalog_b: 'three' };

const KEYS = [
  { access_key_id: 'walk-one', secret_access_key: 'secret-one' },
  { access_key_id: 'walk-two', secret_access_key: 'secret-two' },
] as const;

/** The path of an object in the bucket directory ends with its hash. */
const OBJECT = /\/[0-9a-f]{64}$/;

async function openServers() {
  const { bin } = await installPostgres();
  const cluster = await startPostgresCluster({
    folder: temporaryFolder('catalog-walk-'),
    standbys: 1,
  });
  const folder = temporaryFolder('catalog-walk-');
  const s3 = await startS3({ folder });
  onTestFinished(async () => {
    await s3.stop();
    await cluster.stop();
  });
  await s3.createKey(KEYS[0]);
  const bucket = join(folder, 'objects', BUCKET);
  mkdirSync(bucket);
  const superuser = new URL(cluster.primary.dsn);
  const dsnOf = (role: keyof typeof PASSWORDS, database = 'catalog'): string =>
    `postgres://${role}:${PASSWORDS[role]}@${superuser.host}/${database}`;
  return {
    bin,
    dsnOf,
    cluster,
    s3,
    /** Copies the object of the layer to a different hash, dated a week ago. */
    plantUnreferencedObject: (): void => {
      const files = readdirSync(bucket, { recursive: true, encoding: 'utf8' });
      const found = files.find((file) => OBJECT.test(file) && !file.includes('/restored/'));
      const object = join(bucket, found ?? '');
      const planted = object.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      copyFileSync(object, planted);
      const weekAgo = Date.now() / 1000 - 8 * 86_400;
      utimesSync(planted, weekAgo, weekAgo);
    },
    env: {
      PGHOST: superuser.hostname,
      PGPORT: superuser.port,
      PGPASSWORD: superuser.password,
      PGUSER: superuser.username,
    },
    /** Returns the value of an environment variable that the reader sets, by the suffix of its name. */
    valueOf: (variable: string): string => {
      const values = {
        DATABASE_URL: dsnOf('catalog'),
        DATABASE_OWNER_URL: dsnOf('catalog_owner'),
        POSTGRES_DSN: dsnOf('catalog'),
        POSTGRES_MIGRATION_DSN: dsnOf('catalog_owner'),
        S3_ENDPOINT: s3.endpoint,
        S3_BUCKET: BUCKET,
        S3_PREFIX: PREFIX,
        S3_ACCESS_KEY_ID: KEYS[0].access_key_id,
        S3_SECRET_ACCESS_KEY: KEYS[0].secret_access_key,
      };
      const found = Object.entries(values).find(([ending]) => variable.endsWith(ending));
      if (found === undefined) throw new Error(`${variable} has no value in this test`);
      return found[1];
    },
  };
}

interface InstanceOptions {
  unit: string;
  without: string;
  /** Additional environment variables, which override those of the unit. */
  more?: string;
  untilStarted?: (port: number) => Promise<void>;
}

async function startInstance(
  reader: Reader,
  port: number,
  { unit, without, more = '', untilStarted = untilReady }: InstanceOptions,
): Promise<Terminal> {
  const valuesOf = (key: string): string[] =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) =>
      value
        .replaceAll('%i', String(port))
        .replaceAll('/etc/catalog/', '')
        .replaceAll('/usr/local/bin/', '')
        .replaceAll('/var/lib/catalog', 'var'),
    );
  const words = [`env -u ${without}`, ...valuesOf('Environment'), more];
  const command = [...words, ...valuesOf('ExecStart')].join(' ');
  const terminal = await reader.start(command, ['...']);
  await untilStarted(port);
  return terminal;
}

async function loadLargeFile(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/load_artifact?id=${LARGE.id}`);
  const { large_resources } = loaded.parse(await response.json());
  return large_resources[LARGE.file]?.presigned_url ?? '';
}

const LARGE = { id: 'ops/data-import', file: 'columns.txt' };
const loaded = z.object({
  large_resources: z.record(z.string(), z.object({ presigned_url: z.string() })),
});

test(
  'the pages work for an operator from the installation to a failover',
  { timeout: 600_000 },
  async () => {
    const { bin, dsnOf, cluster, s3, plantUnreferencedObject, ...servers } = await openServers();
    const { env: postgres, valueOf } = servers;
    const env: Record<string, string> = { ...postgres };
    const reader = openReader({ env, path: [bin] });
    const asOwner = (command: string, dsn = dsnOf('catalog_owner')): Promise<string> =>
      succeed(
        reader,
        `CATALOG_POSTGRES_MIGRATION_DSN='${dsn}' CATALOG_CONFIG_FILE=registry.yaml ${command}`,
      );

    const install = openPage('install.md', reader);
    install.skip(
      'sh',
      'the packed program is installed from its file, not from a package registry',
    );
    const setup = install
      .next('sql')
      .replace('choose one', PASSWORDS.catalog_owner)
      .replace('choose another', PASSWORDS.catalog);
    await reader.follow({ kind: 'file', line: 0, path: 'setup.sql', text: setup });
    await succeed(reader, `${install.inline(/^psql .*setup\.sql$/)} --set ON_ERROR_STOP=1`);
    install.skip('json', 'the object store of the tests has no policies');
    for (const [, name = ''] of install.next('sh').matchAll(/\b([A-Z][A-Z0-9_]*)=/g)) {
      env[name] = valueOf(name);
    }
    const variableWith = (value: string): string =>
      Object.keys(env).find((name) => env[name] === value) ?? '';
    const database_variable = variableWith(dsnOf('catalog'));
    const owner_variable = variableWith(dsnOf('catalog_owner'));
    await install.follow('yaml');
    await install.follow('console');
    await install.follow('console');
    await install.follow('markdown');
    await install.follow('terminal');
    await untilReady(8080);
    await install.follow('console');
    await install.follow('console');
    await reader.stopTerminals();
    install.skip('sh', 'needs root, and an account of the machine');
    const unit = install.next('ini');
    install.skip('sh', 'needs systemd; the processes start with the command of the unit');
    // The environment file has every environment variable on the page except the owner's.
    const instance = { unit, without: owner_variable };
    const serve = (port: number, more = ''): Promise<Terminal> =>
      startInstance(reader, port, { ...instance, more });
    const alone = `${variableOf('shutdown_delay')}=0`;
    const first = await serve(8081);
    const second = await serve(8082);
    install.skip('sh', 'needs Docker; tests/deploy checks the file');
    const values = install.next('yaml');
    const secretOf = (names: readonly string[]): Record<string, string> =>
      Object.fromEntries(names.map((name) => [name, valueOf(name)]));
    const ownerNames = [...install.next('sh').matchAll(/--from-literal=(\w+)=/g)].map(
      ([, name = '']) => name,
    );
    const { kubectl } = await openAdminPod({
      reader,
      values,
      secrets: {
        catalog: {
          ...secretOf(install.inlines(/^CATALOG_(POSTGRES_DSN|S3_\w+)$/)),
          ...secretOf(['CATALOG_S3_ENDPOINT', 'CATALOG_S3_BUCKET', 'CATALOG_S3_PREFIX']),
          CATALOG_S3_REGION: 'us-east-1',
          CATALOG_S3_FORCE_PATH_STYLE: 'true',
        },
        'catalog-migration': secretOf(ownerNames),
      },
    });
    const inCluster = async (block: string): Promise<string[]> => {
      const outputs: string[] = [];
      for (const line of block.split('\n')) outputs.push(await kubectl(line));
      return outputs;
    };
    expect((await inCluster(install.next('sh'))).join('')).toContain('no problems');
    expect(await inCluster(install.next('sh'))).toEqual([
      expect.stringContaining('The schema is up to date'),
      expect.stringContaining('The object store belongs to this database'),
      expect.stringContaining('Backed up 1 version'),
      expect.stringContaining('Would remove 0 files'),
    ]);
    install.skip('yaml', 'needs Prometheus');
    install.end();

    const registry = '--registry http://127.0.0.1:8082';
    const text = '---\nname: data-import\ndescription: Imports tables.\n---\n\nRead columns.txt.\n';
    const path = `skills/${LARGE.id}/SKILL.md`;
    await reader.follow({ kind: 'file', line: 0, path, text });
    await succeed(reader, `yes column | head -c 300000 > skills/${LARGE.id}/${LARGE.file}`);
    await succeed(reader, `catalog layer register team --local-path skills ${registry}`);
    await asOwner(install.inline(/^catalog admin verify/).replace('/etc/catalog/', ''));
    const backupCommand = install.inline(/^catalog admin backup \/backup\/first/);
    const backedUp = await asOwner(
      backupCommand.replace('/backup/first', 'backup').replace('...', 'registry.yaml'),
    );
    expect(backedUp).toContain('Backed up 2 versions in 1 layer');

    const backup = openPage('backup.md', reader);
    const standalone = 'about a standalone registry; operations-pages.e2e.test.ts does it';
    backup.skip('markdown', standalone);
    backup.skip('terminal', standalone);
    for (const _ of ['back up', 'restore', 'restore again']) backup.skip('console', standalone);
    const daily = backup.next('sh').replace('/backup', 'backups').replace('/etc/catalog/', '');
    expect(await asOwner(daily)).toContain('Backed up 2 versions in 1 layer, 1 object');
    for (const _ of ['service', 'timer']) backup.skip('ini', 'needs systemd');
    backup.skip('sh', 'needs systemd');
    const scheduled = { kind: 'file', line: 0, path: 'scheduled.yaml' } as const;
    await reader.follow({ ...scheduled, text: backup.next('yaml') });
    const chart = await renderChart(`--values=${join(reader.cwd, 'scheduled.yaml')}`);
    expect(chart.text).toContain('kind: CronJob');
    // Restores after a loss: a new database with the existing roles, and an empty prefix in the
    // bucket.
    const database = setup
      .split('\n')
      .filter((line) => !/ROLE|^GRANT/.test(line))
      .join('\n')
      .replaceAll(/(DATABASE|connect) catalog\b/g, '$1 restored');
    await reader.follow({ kind: 'file', line: 0, path: 'restore.sql', text: database });
    await succeed(reader, 'psql --dbname postgres --file restore.sql --set ON_ERROR_STOP=1');
    const restored = [
      `${database_variable}='${dsnOf('catalog', 'restored')}'`,
      `${variableWith(PREFIX)}='${PREFIX}/restored'`,
    ].join(' ');
    const owner = dsnOf('catalog_owner', 'restored');
    await asOwner(`${restored} catalog admin migrate`, owner);
    expect(await asOwner(`${restored} catalog admin restore backup`, owner)).toContain(
      'Restored 2 versions in 1 layer',
    );
    const third = await serve(8083, `${restored} ${alone}`);
    const found = await succeed(reader, 'catalog search release --registry http://127.0.0.1:8083');
    expect(found).toContain('1 of 1 artifact');
    expect(await third.stop()).toBe(0);
    backup.skip('sh', 'the base backup of a server needs the account that the server runs as');
    for (const line of backup.next('sh').split('\n')) {
      await asOwner(line.replace('/etc/catalog/', ''));
    }
    await succeed(reader, backup.next('sh'));
    for (const line of backup.next('sh').split('\n')) await succeed(reader, line);
    const copied = `${database_variable}='${dsnOf('catalog', 'catalog_new')}'`;
    const copiedOwner = dsnOf('catalog_owner', 'catalog_new');
    expect(await asOwner(`${copied} catalog admin verify`, copiedOwner)).toContain('no problems');
    backup.end();

    const objects = openPage('objects.md', reader);
    objects.skip('yaml', 'the settings of the installation have these keys');
    objects.skip('yaml', 'the settings of the installation have these keys');
    const refused = await reader.run(
      `env -u ${owner_variable} ${copied} catalog serve --config registry.yaml`,
    );
    expect(refused.output).toContain('config.invalid');
    expect(refused.status).toBe(2);
    const [show = '', adopt = ''] = objects.next('sh').split('\n');
    expect(await asOwner(`${copied} ${show}`, copiedOwner)).toContain('was copied');
    expect(await asOwner(`${copied} ${adopt}`, copiedOwner)).toContain('Adopted');
    const copy = await serve(8083, `${copied} ${alone}`);
    expect(await copy.stop()).toBe(0);
    // The database of the installation remains in use.
    expect(await asOwner(show)).toContain('belongs to another database');
    expect(await asOwner(adopt)).toContain('Adopted');
    plantUnreferencedObject();
    const [list = '', remove = '', removeOld = ''] = objects.next('sh').split('\n');
    expect(await asOwner(list)).toContain('Would remove 1 file, ');
    expect(await asOwner(remove)).toContain('Removed 1 file, ');
    expect(JSON.parse(await asOwner(removeOld))).toMatchObject({ unreferenced: { objects: 0 } });
    objects.end();

    // Upgrades from the previous release are tested in rolling-upgrade.e2e.test.ts and `./dev
    // stress upgrade`.
    const upgrade = openPage('upgrade.md', reader);
    await asOwner(upgrade.next('sh'));
    await asOwner(upgrade.next('sh'));
    const replacement = await serve(8083);
    expect(await first.stop()).toBe(0);
    await asOwner(upgrade.next('sh'));
    await inCluster(upgrade.next('sh'));
    await reader.follow({ kind: 'file', line: 0, path: 'back.sql', text: upgrade.next('sql') });
    await succeed(reader, `psql '${dsnOf('catalog_owner')}' --file back.sql --set ON_ERROR_STOP=1`);
    await asOwner('catalog admin migrate --contract');
    upgrade.end();

    // The pages about access rotate the proxy secret, and the guide rotates the secret of a
    // receiver.
    const rotation = openPage('rotate-secrets.md', reader);
    const asSuperuser = (sql: string): Promise<string> =>
      succeed(reader, `psql --dbname postgres --tuples-only --no-align --command "${sql}"`);
    const create = rotation.inline(/^CREATE ROLE catalog_b /);
    await asSuperuser(create.replace('...', PASSWORDS.catalog_b));
    env[database_variable] = dsnOf('catalog_b');
    await s3.createKey(KEYS[1]);
    const signed = await loadLargeFile(8083);
    env[variableWith(KEYS[0].access_key_id)] = KEYS[1].access_key_id;
    env[variableWith(KEYS[0].secret_access_key)] = KEYS[1].secret_access_key;
    const rotated = await serve(8081);
    expect(await second.stop()).toBe(0);
    expect(await replacement.stop()).toBe(0);
    // A URL signed with the old key remains valid until the key is deleted.
    expect((await fetch(signed)).status).toBe(200);
    await s3.deleteKey(KEYS[0].access_key_id);
    expect((await fetch(signed)).status).toBe(403);
    expect((await fetch(await loadLargeFile(8081))).status).toBe(200);
    const count = rotation.inline(/^SELECT count\(\*\) FROM pg_stat_activity/);
    await expect.poll(() => asSuperuser(count)).toBe('0');
    await asSuperuser(rotation.inline(/^DROP ROLE catalog;/));
    await asSuperuser(rotation.inline(/^ALTER ROLE catalog_owner/).replace('...', 'new'));
    const newOwner = dsnOf('catalog_owner').replace(PASSWORDS.catalog_owner, 'new');
    expect(await asOwner('catalog admin verify', newOwner)).toContain('no problems');
    await succeed(reader, 'catalog search release --registry http://127.0.0.1:8081');
    expect(await rotated.stop()).toBe(0);
    const authority = await createCertificateAuthority();
    const files = await authority.issueFiles(reader.cwd);
    const certificate = [
      `${variableOf('tls.cert')}=${files.cert_file}`,
      `${variableOf('tls.key')}=${files.key_file}`,
      alone,
    ].join(' ');
    const fingerprint = (): Promise<string> => peerFingerprint('https://127.0.0.1:8083');
    const encrypted = await startInstance(reader, 8083, {
      ...instance,
      more: certificate,
      untilStarted: () => expect.poll(fingerprint, { timeout: 60_000 }).toMatch(/^[0-9A-F:]+$/),
    });
    const old = await fingerprint();
    await authority.issueFiles(reader.cwd);
    encrypted.signal('SIGHUP');
    await expect.poll(fingerprint).not.toBe(old);
    expect(await encrypted.stop()).toBe(0);
    expect(rotation.sections()).toEqual([
      'Database password',
      'S3 key',
      'Secret of the authenticating proxy',
      'Secret of a webhook receiver',
      'TLS certificate',
    ]);
    rotation.end();

    const failover = openPage('fail-over.md', reader);
    failover.skip('yaml', 'the process gets the same settings, and a shorter interval of probes');
    const [standby] = cluster.standbys;
    const replica = dsnOf('catalog_b').replace(postgres.PGPORT, String(standby?.port));
    const settings = [
      `${variableOf('store.replica_dsns')}='${replica}'`,
      `${variableOf('read_only.probe_interval_seconds')}=1`,
      alone,
    ].join(' ');
    const survivor = await serve(8082, settings);
    const mode = async (): Promise<unknown> =>
      (await fetch('http://127.0.0.1:8082/healthz')).json();
    await cluster.primary.kill('SIGKILL');
    await expect.poll(mode, { timeout: 30_000 }).toMatchObject({ mode: 'read_only' });
    await succeed(reader, `catalog search release ${registry}`);
    const rejected = await reader.run(`catalog layer reingest team ${registry}`);
    expect(rejected.output).toContain('registry.read_only');
    const promote = `psql --dbname postgres --port ${standby?.port} --command "${failover.next('sql')}"`;
    await succeed(reader, promote);
    await expect.poll(mode, { timeout: 30_000 }).toMatchObject({ mode: 'ready' });
    await succeed(reader, `catalog layer reingest team ${registry}`);
    expect((await fetch(await loadLargeFile(8082))).status).toBe(200);
    expect(await survivor.stop()).toBe(0);
    failover.end();
  },
);
