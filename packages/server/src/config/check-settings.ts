import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { ONLY_TENANT_NAME } from '@catalog/core/ports/tenant';
import { checkMinServerVersion } from '@catalog/core/version/min-server-version';
import { isEveryInterface, isLoopbackHost, loadBindAddress } from './bind-address.ts';
import { checkGitCredentials } from './check-git-credentials.ts';
import { checkIdentity } from './check-identity.ts';
import { checkReach } from './check-reach.ts';
import { checkScimTokens } from './check-scim-tokens.ts';
import { checkSigning } from './check-signing.ts';
import { checkEmbeddings } from './embedding-provider.ts';
import type { SettingKey, Settings } from './settings.ts';
import type { SettingOrigin } from './sourced.ts';
import { loadVectorBackend } from './vector-backend.ts';

interface Loaded {
  settings: Settings;
  origins: Readonly<Record<SettingKey, SettingOrigin>>;
}

export function checkSettings({ settings, origins }: Loaded): void {
  const pin = settings.min_server_version;
  if (pin !== undefined) checkMinServerVersion(pin, origins.min_server_version.name);
  checkIdentity(settings);
  checkScimTokens(settings);
  checkReach(settings);
  checkManagementBind(settings, origins);
  checkDev(settings);
  checkPair(settings, origins, 'tls.cert', 'tls.key');
  checkStore(settings, origins);
  checkObjectStore(settings, origins);
  checkReceiverFile(settings, origins);
  checkEmbeddings(settings);
  loadVectorBackend(settings);
  checkSigning(settings, origins);
  checkLayers(settings, origins);
  checkGitCredentials(settings, origins);
}

/** Rejects settings of a database for the SQLite store, which would be ignored. */
function checkStore(settings: Settings, origins: Loaded['origins']): void {
  const { 'store.type': type, 'store.dsn': dsn, 'store.replica_dsns': replicas } = settings;
  if (type === 'postgres' && dsn === undefined) {
    throw new CatalogError(
      'config.invalid',
      `store.type is postgres (${origins['store.type'].name}), but store.dsn is not set.`,
      {
        details: { key: 'store.dsn', fields: ['store.type', 'store.dsn'] },
        suggested_action: 'Set store.dsn, or CATALOG_POSTGRES_DSN, to the database.',
      },
    );
  }
  if (type !== 'sqlite') return;
  const isSet = { 'store.dsn': dsn !== undefined, 'store.replica_dsns': replicas.length > 0 };
  for (const key of ['store.dsn', 'store.replica_dsns'] as const) {
    if (!isSet[key]) continue;
    throw new CatalogError(
      'config.invalid',
      `${key} is set (${origins[key].name}), but store.type is sqlite.`,
      {
        details: { key: 'store.type', fields: ['store.type', key] },
        suggested_action: `Set store.type to postgres, or remove ${key}.`,
      },
    );
  }
}

/** Rejects a receiver file that several processes or tenants would share. */
function checkReceiverFile(settings: Settings, origins: Loaded['origins']): void {
  if (settings['webhooks.store_path'] === undefined) return;
  const key = settings['store.type'] === 'postgres' ? 'store.type' : 'multi_tenant';
  if (key === 'multi_tenant' && !settings.multi_tenant) return;
  const value = key === 'store.type' ? 'store.type is postgres' : 'multi_tenant is true';
  throw new CatalogError(
    'config.invalid',
    `webhooks.store_path is set (${origins['webhooks.store_path'].name}), but ${value}: a file holds the receivers of one process and one tenant.`,
    {
      details: { key: 'webhooks.store_path', fields: ['webhooks.store_path', key] },
      suggested_action:
        'Remove webhooks.store_path. The metadata store holds the receivers, and a restart keeps them.',
    },
  );
}

/** Rejects settings of a bucket for an object store in a directory, which would be ignored. */
function checkObjectStore(settings: Settings, origins: Loaded['origins']): void {
  checkPair(settings, origins, 'object_store.access_key_id', 'object_store.secret_access_key');
  const { 'object_store.type': type, 'object_store.bucket': bucket } = settings;
  if (type === 's3' && bucket === undefined) {
    throw new CatalogError(
      'config.invalid',
      `object_store.type is s3 (${origins['object_store.type'].name}), but object_store.bucket is not set.`,
      {
        details: {
          key: 'object_store.bucket',
          fields: ['object_store.type', 'object_store.bucket'],
        },
        suggested_action: 'Set object_store.bucket, or CATALOG_S3_BUCKET, to the bucket.',
      },
    );
  }
  const unused = S3_SETTINGS.find((key) => settings[key] !== undefined);
  if (type === 'filesystem' && unused !== undefined) {
    throw new CatalogError(
      'config.invalid',
      `${unused} is set (${origins[unused].name}), but object_store.type is filesystem.`,
      {
        details: { key: 'object_store.type', fields: ['object_store.type', unused] },
        suggested_action: `Set object_store.type to s3, or remove ${unused}.`,
      },
    );
  }
}

const S3_SETTINGS = [
  'object_store.bucket',
  'object_store.endpoint',
  'object_store.access_key_id',
  'object_store.secret_access_key',
  'object_store.prefix',
] as const satisfies readonly SettingKey[];

/** Requires different ports for the two listeners; 0 lets the system choose. */
function checkManagementBind(
  { bind, management_bind }: Settings,
  origins: Loaded['origins'],
): void {
  if (management_bind === undefined) return;
  const { host, port } = loadBindAddress(management_bind);
  const main = loadBindAddress(bind);
  if (port === 0 || port !== main.port) return;
  const overlaps = host === main.host || isEveryInterface(host) || isEveryInterface(main.host);
  if (!overlaps) return;
  throw new CatalogError(
    'config.invalid',
    `management_bind is ${management_bind} (${origins.management_bind.name}), but bind uses the same port: ${bind}.`,
    {
      details: {
        key: 'management_bind',
        value: management_bind,
        fields: ['bind', 'management_bind'],
      },
      suggested_action: 'Choose another port for management_bind, such as 127.0.0.1:9090.',
    },
  );
}

/** Checks `--dev`, which is for a single author on the local machine without authentication (SPEC-51). */
function checkDev(settings: Settings): void {
  if (!settings.dev) return;
  const isLoopback = isLoopbackHost(loadBindAddress(settings.bind).host);
  const type = settings['identity_provider.type'];
  if (isLoopback && type === undefined) return;
  throw new CatalogError(
    'config.invalid',
    isLoopback
      ? '--dev is for authors on their own machine and does not support an identity provider.'
      : `--dev is for authors on their own machine and cannot bind to ${settings.bind}.`,
    {
      details: { key: 'dev', fields: ['dev', isLoopback ? 'identity_provider.type' : 'bind'] },
      suggested_action: isLoopback
        ? 'Remove --dev, or remove the identity provider.'
        : 'Remove --dev, or bind to a loopback address.',
    },
  );
}

function checkPair(
  settings: Settings,
  origins: Loaded['origins'],
  one: SettingKey,
  other: SettingKey,
): void {
  if ((settings[one] === undefined) === (settings[other] === undefined)) return;
  const [given, absent] = settings[one] === undefined ? [other, one] : [one, other];
  throw new CatalogError(
    'config.invalid',
    `${given} is set (${origins[given].name}), but ${absent} is not; both are required.`,
    {
      details: { key: given, fields: [one, other] },
      suggested_action: `Set ${absent} as well, or remove both.`,
    },
  );
}

function checkLayers({ layers, multi_tenant }: Settings, origins: Loaded['origins']): void {
  const file = origins.layers.name;
  const seen = new Set<string>();
  for (const { id, tenant } of layers) {
    if (tenant !== undefined && !multi_tenant) {
      throw new CatalogError(
        'config.invalid',
        `${file}: layer ${id} names the tenant ${tenant}, but multi_tenant is off.`,
        {
          details: { file, key: 'registry.layers', value: id, fields: ['tenant', 'multi_tenant'] },
          suggested_action: 'Remove `tenant`, or set multi_tenant to true.',
        },
      );
    }
    const key = JSON.stringify([tenant ?? ONLY_TENANT_NAME, id]);
    if (seen.has(key)) {
      throw new CatalogError('config.invalid', `${file}: two layers have the id ${id}.`, {
        details: { file, key: 'registry.layers', value: id },
        suggested_action: 'Rename one of them.',
      });
    }
    seen.add(key);
  }
}
