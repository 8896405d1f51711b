import { withoutSecrets } from '../marketplace/without-secrets.ts';
import { listIdentityValues } from './identity-settings.ts';
import { BUILT_IN, fromDefaults } from './sourced.ts';
import type { Config, ConfigFile, ProfileConfig, Sourced } from './types.ts';

/** Lists settings, without user names and passwords in URLs. */
export function listValues(
  settled: Pick<
    Config,
    | 'registry'
    | 'harness'
    | 'profile'
    | 'target'
    | 'exclude'
    | 'overlay'
    | 'unsupported'
    | 'on_clash'
    | 'rule_fallback'
    | 'cache'
    | 'cache_mode'
    | 'safe_directories'
    | 'object_hosts'
    | 'identity'
    | 'signing'
  >,
  files: readonly ConfigFile[],
  profiles: ReadonlyMap<string, Sourced<ProfileConfig>>,
): Config['values'] {
  const {
    overlay,
    cache,
    cache_mode,
    safe_directories,
    object_hosts,
    identity,
    signing,
    ...defaults
  } = settled;
  const unset = { value: undefined, origin: BUILT_IN };
  const plain: [string, Sourced<unknown>][] = [
    ['defaults.registry', defaults.registry ?? unset],
    ['defaults.harness', defaults.harness],
    ['defaults.target', defaults.target],
    ['defaults.profile', defaults.profile ?? unset],
    ...(defaults.exclude.length === 0 ? [unset] : defaults.exclude).map(
      (list): [string, Sourced<unknown>] => ['defaults.exclude', list],
    ),
    ['defaults.identity', identity.provider],
    ['defaults.verify_signatures', signing.policy],
    ['defaults.min_server_version', fromDefaults(files, (all) => all.min_server_version) ?? unset],
    ['defaults.unsupported', defaults.unsupported],
    ['defaults.on_clash', defaults.on_clash],
    ['defaults.rule_fallback', defaults.rule_fallback ?? unset],
    ['overlay', overlay ?? unset],
    ['cache', cache],
    ['cache_mode', cache_mode ?? unset],
    ['safe_directories', safe_directories ?? unset],
    ['object_hosts', object_hosts ?? unset],
    ...listIdentityValues(identity),
  ];
  const values = plain.map(([key, sourced]) => ({ key, ...sourced }));
  for (const [name, profile] of profiles) values.push({ key: `profiles.${name}`, ...profile });
  const listing = files.toReversed().find((file) => file.content.targets !== undefined);
  for (const target of listing?.content.targets ?? []) {
    values.push({
      key: `targets.${target.id}`,
      value: target,
      origin: listing?.origin ?? BUILT_IN,
    });
  }
  for (const { origin, content } of files) {
    for (const hook of content.materialize_hooks ?? []) {
      values.push({ key: `materialize_hooks.${hook.name}`, value: hook, origin });
    }
  }
  for (const { origin, content } of files) {
    for (const [index, entry] of (content.registry_keys ?? []).entries()) {
      values.push({ key: `registry_keys.${index}`, value: entry, origin });
    }
  }
  for (const { origin, content } of files) {
    for (const [index, rule] of (content.executable_content ?? []).entries()) {
      values.push({ key: `executable_content.${index}`, value: rule, origin });
    }
  }
  return values.map((one) => ({ ...one, value: withoutPasswords(one.value) }));
}

function withoutPasswords(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecrets(value);
  if (Array.isArray(value)) return value.map(withoutPasswords);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withoutPasswords(member)]),
  );
}
