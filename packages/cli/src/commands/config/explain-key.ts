import { nearest } from '@catalog/core/text/nearest';
import { SYNC_FILE_KEYS, type Member } from '@catalog/consumer/config/sync-file-keys';
import type { Config, ConfigFlags, Origin } from '@catalog/consumer/config/types';
import { usageError } from '../../command/usage-errors.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export interface Explanation {
  key: string;
  summary: string;
  value: unknown;
  origin: Origin;
  places: Place[];
}

/** Place that sets a key. All places of a merged list, such as `defaults.exclude`, are in effect. */
interface Place {
  value: unknown;
  origin: Origin;
  in_force: boolean;
}

interface Given {
  config: Config;
  env: Readonly<Record<string, string | undefined>>;
  flags: ConfigFlags;
}

export function explainKey(key: string, given: Given): Explanation {
  const { values } = given.config;
  const inForce = values
    .filter((candidate) => candidate.key === key)
    .map(({ value, origin }) => ({ value, origin, in_force: true }))
    .toReversed();
  const [highest] = inForce;
  if (highest === undefined) {
    const keys = values.map((candidate) => candidate.key);
    const meant = nearest(key, keys) ?? keys.find((candidate) => candidate.endsWith(`.${key}`));
    throw usageError(
      `Unknown setting: ${key}.`,
      meant === undefined
        ? 'To list all settings, run `catalog config show`.'
        : `Did you mean \`${meant}\`?`,
      {
        command: 'config show',
        argument: '--explain',
        ...(meant === undefined ? {} : { did_you_mean: meant }),
      },
    );
  }
  const names = new Set(inForce.map(({ origin }) => origin.name));
  const others = listPlaces(key, given).filter(({ origin }) => !names.has(origin.name));
  return {
    key,
    summary: summaryOf(key),
    value: inForce.length === 1 ? highest.value : inForce.flatMap(({ value }) => value),
    origin: highest.origin,
    places: [...inForce, ...others],
  };
}

/** Lists the places that set a key, highest precedence first. */
function listPlaces(key: string, { config, env, flags }: Given): Place[] {
  const places: Omit<Place, 'in_force'>[] = [];
  const flag = toFlag(key);
  if (flag !== undefined) {
    const given = flags[flag];
    if (given !== undefined) {
      places.push({ value: given, origin: { kind: 'flag', name: `--${flag}` } });
    }
    const definition = CONFIG_FLAGS[flag];
    const variable = 'env' in definition ? env[definition.env] : undefined;
    if ('env' in definition && variable !== undefined && variable !== '') {
      places.push({ value: variable, origin: { kind: 'env', name: definition.env } });
    }
  }
  for (const { content, origin } of config.files.toReversed()) {
    const value = lookUp(content, key);
    if (value !== undefined) places.push({ value, origin });
  }
  return places.map((place) => ({ ...place, in_force: false }));
}

function toFlag(key: string): keyof typeof CONFIG_FLAGS | undefined {
  const name = key.replace(/^defaults\./, '');
  const names: (keyof typeof CONFIG_FLAGS)[] = [
    'registry',
    'harness',
    'target',
    'profile',
    'overlay',
  ];
  return names.find((flag) => flag === name);
}

/**
 * Returns the value of a key such as `defaults.harness`, `profiles.ci` or `targets.web`: a member by name, an element
 * by id.
 */
function lookUp(content: unknown, key: string): unknown {
  const [first = '', ...rest] = key.split('.');
  const list = member(content, first);
  const name = rest.join('.');
  if (Array.isArray(list)) return list.find((element) => member(element, 'id') === name);
  return member(list, name);
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** Keys that `sync.yaml` cannot set, with the reason. */
const KEYS_OUTSIDE_SYNC_FILE: Readonly<Record<string, string>> = {
  overlay: CONFIG_FLAGS.overlay.summary,
  cache: 'Cache folder for all workspaces (CATALOG_CACHE_DIR).',
  cache_mode:
    'Behavior if the registry is unavailable: always-revalidate, offline-first or offline-only (CATALOG_CACHE_MODE).',
  'identity.token': 'Bearer token; overrides every other token (CATALOG_TOKEN).',
  'identity.token_store':
    'Where `catalog login` stores tokens: keychain or file (CATALOG_TOKEN_STORE).',
  'identity.keychain_name': 'Name of the keychain entry (CATALOG_TOKEN_KEYCHAIN_NAME).',
  'identity.session_token_file':
    'File with the session token of a runtime (CATALOG_SESSION_TOKEN_FILE).',
  'identity.session_token_env':
    'Environment variable with the session token of a runtime, if there is no file (CATALOG_SESSION_TOKEN_ENV).',
  'identity.authorization_endpoint':
    'Device authorization URL, instead of the one the registry advertises (CATALOG_OAUTH_AUTHORIZATION_ENDPOINT).',
  'identity.token_url':
    'Token endpoint URL; if a device authorization URL is set, the default is that URL with `/token` (CATALOG_OAUTH_TOKEN_URL).',
  'identity.client_id': 'OAuth client ID of `catalog login` (CATALOG_OAUTH_CLIENT_ID).',
  'identity.audience': 'Audience of the token from `catalog login` (CATALOG_OAUTH_AUDIENCE).',
  'identity.scopes': 'OAuth scopes that `catalog login` requests (CATALOG_OAUTH_SCOPES).',
};

function summaryOf(key: string): string {
  const [first = '', second = ''] = key.split('.');
  const group: Member | undefined = SYNC_FILE_KEYS[first];
  if (group === undefined) return KEYS_OUTSIDE_SYNC_FILE[key] ?? '';
  const { shape } = group;
  const inner = shape.kind === 'object' ? shape.members[second] : undefined;
  return (inner ?? group).summary;
}
