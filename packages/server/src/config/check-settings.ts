import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { checkMinServerVersion } from '@catalog/core/version/min-server-version';
import { isLoopbackHost, loadBindAddress } from './bind-address.ts';
import type { SettingKey, Settings } from './settings.ts';
import type { SettingOrigin } from './sourced.ts';

interface Loaded {
  settings: Settings;
  origins: Readonly<Record<SettingKey, SettingOrigin>>;
}

/** Refuses settings that do not go together, before anything is opened. */
export function checkSettings({ settings, origins }: Loaded): void {
  const pin = settings.min_server_version;
  if (pin !== undefined) checkMinServerVersion(pin, origins.min_server_version.name);
  checkBind(settings);
  checkPair(settings, origins, 'tls.cert', 'tls.key');
  checkLayerIds(settings, origins);
}

/** Nobody is told apart, so nobody but this machine may come, unless the operator says so (decision 2). */
function checkBind(settings: Settings): void {
  const { host } = loadBindAddress(settings.bind);
  if (isLoopbackHost(host)) return;
  if (!settings.allow_public_bind) {
    const why = settings.public_mode ? 'in public mode' : 'without an identity provider';
    throw new CatalogError(
      'config.public_bind_refused',
      `A registry ${why} does not listen on ${settings.bind}: whoever reaches it could read and change everything.`,
      {
        details: { bind: settings.bind },
        suggested_action:
          'Bind to a loopback address such as 127.0.0.1:8080, or pass --allow-public-bind where something else guards the way.',
      },
    );
  }
  if (settings.dev) {
    throw new CatalogError(
      'config.invalid',
      `--dev is for authors on their own machine; it does not listen on ${settings.bind}.`,
      {
        details: { key: 'dev', fields: ['dev', 'bind'] },
        suggested_action: 'Leave --dev out, or bind to a loopback address.',
      },
    );
  }
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
    `${given} is set (${origins[given].name}) and ${absent} is not; one is of no use without the other.`,
    {
      details: { key: given, fields: [one, other] },
      suggested_action: `Set ${absent} too, or neither.`,
    },
  );
}

function checkLayerIds({ layers }: Settings, origins: Loaded['origins']): void {
  const seen = new Set<string>();
  for (const { id } of layers) {
    if (seen.has(id)) {
      throw new CatalogError(
        'config.invalid',
        `${origins.layers.name}: two layers have the id ${id}.`,
        {
          details: { file: origins.layers.name, key: 'registry.layers', value: id },
          suggested_action: 'Give one of them another id.',
        },
      );
    }
    seen.add(id);
  }
}
