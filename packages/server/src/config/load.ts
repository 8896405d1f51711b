import { dirname, resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { readConfigText } from '@catalog/core/node/read-config-text';
import { checkUserFolder, userFolder } from '@catalog/core/node/user-folder';
import { expandHome } from '@catalog/core/text/expand-home';
import { checkSettings } from './check-settings.ts';
import type { Environment } from './interpolate.ts';
import { readRegistryFile, type FileValue } from './read-registry-file.ts';
import { checkVariables } from './read-variables.ts';
import { readingOf, type Setting } from './setting.ts';
import { SETTINGS, type SettingKey, type Settings } from './settings.ts';
import { BUILT_IN, type SettingOrigin } from './sourced.ts';

export interface SettingsInput {
  cwd: string;
  home: string;
  env: Environment;
  flags: Readonly<Record<string, string | true | undefined>>;
  config?: string | undefined;
}

export interface LoadedSettings {
  settings: Settings;
  origins: Readonly<Record<SettingKey, SettingOrigin>>;
  file: string | undefined;
}

const TABLE: Readonly<Record<string, Setting>> = SETTINGS;

/**
 * Loads settings from flags, environment variables, the file and defaults, in this order of precedence. Unknown
 * settings are errors (SPEC-36).
 */
export function loadSettings(input: SettingsInput): LoadedSettings {
  checkVariables(input.env, TABLE);
  const file = readFile(input);
  const settings: Record<string, unknown> = {};
  const origins: Record<string, SettingOrigin> = {};
  for (const [key, setting] of Object.entries(TABLE)) {
    const { value, origin } = fromFlag(setting, input) ??
      fromEnvironment(setting, input) ??
      file.values.get(key) ?? { value: setting.default, origin: BUILT_IN };
    settings[key] = withAbsolutePaths(setting, value, origin, input);
    origins[key] = origin;
  }
  const loaded = { settings, origins, file: file.path };
  assertComplete(loaded);
  checkSettings(loaded);
  return loaded;
}

/** Asserts that every setting has a value. Each value is already validated. */
function assertComplete(loaded: {
  settings: Record<string, unknown>;
  origins: Record<string, SettingOrigin>;
  file: string | undefined;
}): asserts loaded is LoadedSettings {
  const missing = Object.keys(TABLE).find((key) => !Object.hasOwn(loaded.settings, key));
  if (missing !== undefined) throw new TypeError(`no value for ${missing}`);
}

/** Makes paths absolute. A path in the file is relative to the file, any other to the working directory. */
function withAbsolutePaths(
  setting: Setting,
  value: unknown,
  origin: SettingOrigin,
  { cwd, home }: SettingsInput,
): unknown {
  if (value === undefined || setting.resolve === undefined) return value;
  const base = origin.kind === 'file' ? dirname(origin.name) : cwd;
  return setting.resolve(value, (path) => resolve(base, expandHome(path, home)));
}

function readFile(input: SettingsInput): {
  path: string | undefined;
  values: Map<string, FileValue>;
} {
  const named = input.config ?? (input.env['CATALOG_CONFIG_FILE'] || undefined);
  if (named === undefined) checkUserFolder(input.home);
  const path =
    named === undefined
      ? `${userFolder(input.home)}/registry.yaml`
      : resolve(input.cwd, expandHome(named, input.home));
  const text = readConfigText(path, named !== undefined, ADVICE);
  if (text === undefined) return { path: undefined, values: new Map() };
  return { path, values: readRegistryFile({ text, file: path }, TABLE, input.env) };
}

const ADVICE = {
  missing: 'Check the path, or leave it out: a registry can start without a configuration file.',
  unreadable: 'Make the file readable, or use another file.',
};

function fromFlag(setting: Setting, { flags }: SettingsInput): FileValue | undefined {
  if (setting.flag === undefined) return undefined;
  const given = flags[setting.flag];
  if (given === undefined) return undefined;
  const origin = { kind: 'flag', name: `--${setting.flag}` } as const;
  return readGiven(setting, given === true ? 'true' : given, origin);
}

function readGiven(setting: Setting, text: string, origin: SettingOrigin): FileValue {
  const at = readingOf(setting, [origin.name]);
  const value = setting.check.read(setting.fromText?.(text) ?? text, at);
  const problem = at.problems[0];
  if (problem === undefined) return { value, origin };
  throw new CatalogError('config.invalid', problem.message, {
    details: { key: origin.name },
    suggested_action: problem.fix,
  });
}

function fromEnvironment(setting: Setting, { env }: SettingsInput): FileValue | undefined {
  for (const name of setting.env ?? []) {
    const value = env[name];
    if (value !== undefined && value !== '')
      return readGiven(setting, value, { kind: 'env', name });
  }
  return undefined;
}
