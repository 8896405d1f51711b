import { openTestBucket } from '@catalog/testkit/s3-bucket';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgresCluster } from '../../tools/services/postgres-cluster.ts';
import { installPostgres } from '../../tools/services/postgres-program.ts';
import { openAdminPod } from './admin-pod.ts';
import { openReader, type Reader, type Terminal } from './follow-page.ts';
import { openPage, succeed, untilReady } from './walk-page.ts';

const PASSWORDS = { catalog: 'one', catalog_owner: 'two', catalog_b: 'three' };

/** An empty database server and an empty part of a bucket, as their administrators hand them over. */
async function openServers() {
  const { bin } = await installPostgres();
  const cluster = await startPostgresCluster({ folder: temporaryFolder('catalog-walk-') });
  const bucket = await openTestBucket();
  onTestFinished(async () => {
    await bucket.empty();
    await cluster.stop();
  });
  const superuser = new URL(cluster.primary.dsn);
  const dsnOf = (role: keyof typeof PASSWORDS, database = 'catalog'): string =>
    `postgres://${role}:${PASSWORDS[role]}@${superuser.host}/${database}`;
  const { endpoint = '', bucket: name, prefix, credentials } = bucket.options;
  return {
    bin,
    dsnOf,
    prefix,
    env: {
      PGHOST: superuser.hostname,
      PGPORT: superuser.port,
      PGPASSWORD: superuser.password,
      PGUSER: superuser.username,
    },
    /** The value of a variable that the page asks the reader to set, by what its name ends with. */
    valueOf: (variable: string): string => {
      const values = {
        DATABASE_URL: dsnOf('catalog'),
        DATABASE_OWNER_URL: dsnOf('catalog_owner'),
        POSTGRES_DSN: dsnOf('catalog'),
        POSTGRES_MIGRATION_DSN: dsnOf('catalog_owner'),
        S3_ENDPOINT: endpoint,
        S3_BUCKET: name,
        S3_PREFIX: prefix,
        S3_ACCESS_KEY_ID: credentials?.access_key_id ?? '',
        S3_SECRET_ACCESS_KEY: credentials?.secret_access_key ?? '',
      };
      const found = Object.entries(values).find(([ending]) => variable.endsWith(ending));
      if (found === undefined) throw new Error(`${variable} has no value in this test`);
      return found[1];
    },
  };
}

/** Starts the program as the unit of systemd does, for the instance of a port; `environment` is given to `env`. */
async function startInstance(
  reader: Reader,
  unit: string,
  port: number,
  environment: string,
): Promise<Terminal> {
  const valuesOf = (key: string): string[] =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) =>
      value
        .replaceAll('%i', String(port))
        .replaceAll('/etc/catalog/', '')
        .replaceAll('/usr/local/bin/', '')
        .replaceAll('/var/lib/catalog', 'var'),
    );
  const words = ['env', environment, ...valuesOf('Environment')];
  const command = [...words, ...valuesOf('ExecStart')].join(' ');
  const terminal = await reader.start(command, ['...']);
  await untilReady(port);
  return terminal;
}

test(
  'an operator follows the pages from the installation to the rotation of secrets',
  { timeout: 600_000 },
  async () => {
    const { bin, dsnOf, prefix, env: postgres, valueOf } = await openServers();
    const env: Record<string, string> = { ...postgres };
    const reader = openReader({ env, path: [bin], shown: { [prefix]: 'catalog' } });
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
    /** The variable of the page that has a value. */
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
    // The environment file has every variable of the page except the owner's.
    const serve = (port: number, more = ''): Promise<Terminal> =>
      startInstance(reader, unit, port, `-u ${owner_variable} ${more}`);
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
          // The bucket of the tests in place of the one in the values.
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
    await succeed(reader, `catalog layer register team --local-path skills ${registry}`);
    await asOwner(install.inline(/^catalog admin verify/).replace('/etc/catalog/', ''));
    const backupCommand = install.inline(/^catalog admin backup \/backup\/first/);
    const backedUp = await asOwner(
      backupCommand.replace('/backup/first', 'backup').replace('...', 'registry.yaml'),
    );
    expect(backedUp).toContain('Backed up 1 version in 1 layer');

    const backup = openPage('backup.md', reader);
    const standalone = 'about a standalone registry; operations-pages.e2e.test.ts does it';
    backup.skip('markdown', standalone);
    backup.skip('terminal', standalone);
    for (const _ of ['back up', 'restore', 'restore again']) backup.skip('console', standalone);
    // Restore after a loss: a new database with the existing roles, and an empty part of the bucket.
    const database = setup
      .split('\n')
      .filter((line) => !/ROLE|^GRANT/.test(line))
      .join('\n')
      .replaceAll(/(DATABASE|connect) catalog\b/g, '$1 restored');
    await reader.follow({ kind: 'file', line: 0, path: 'restore.sql', text: database });
    await succeed(reader, 'psql --dbname postgres --file restore.sql --set ON_ERROR_STOP=1');
    const restored = [
      `${database_variable}='${dsnOf('catalog', 'restored')}'`,
      `${variableWith(prefix)}='${prefix}/restored'`,
    ].join(' ');
    const owner = dsnOf('catalog_owner', 'restored');
    await asOwner(`${restored} catalog admin migrate`, owner);
    expect(await asOwner(`${restored} catalog admin restore backup`, owner)).toContain(
      'Restored 1 version in 1 layer',
    );
    const third = await serve(8083, restored);
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
    expect(await asOwner(`${copied} catalog admin adopt-bucket`, copiedOwner)).toContain(
      'was copied',
    );
    backup.end();

    // From the previous release: rolling-upgrade.e2e.test.ts and `./dev stress upgrade`.
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

    // The object store of the tests has one key. The tests of the server rotate the other secrets.
    const rotation = openPage('rotate-secrets.md', reader);
    const asSuperuser = (sql: string): Promise<string> =>
      succeed(reader, `psql --dbname postgres --tuples-only --no-align --command "${sql}"`);
    const create = rotation.inline(/^CREATE ROLE catalog_b /);
    await asSuperuser(create.replace('...', PASSWORDS.catalog_b));
    env[database_variable] = dsnOf('catalog_b');
    const rotated = await serve(8081);
    expect(await second.stop()).toBe(0);
    expect(await replacement.stop()).toBe(0);
    const count = rotation.inline(/^SELECT count\(\*\) FROM pg_stat_activity/);
    await expect.poll(() => asSuperuser(count)).toBe('0');
    await asSuperuser(rotation.inline(/^DROP ROLE catalog;/));
    await asSuperuser(rotation.inline(/^ALTER ROLE catalog_owner/).replace('...', 'new'));
    const newOwner = dsnOf('catalog_owner').replace(PASSWORDS.catalog_owner, 'new');
    expect(await asOwner('catalog admin verify', newOwner)).toContain('no problems');
    await succeed(reader, 'catalog search release --registry http://127.0.0.1:8081');
    expect(await rotated.stop()).toBe(0);
    rotation.end();
  },
);
