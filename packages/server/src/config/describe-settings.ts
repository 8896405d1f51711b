import type { LoadedSettings } from './load.ts';
import { showValue, type Setting } from './setting.ts';
import { SETTINGS, type SettingKey } from './settings.ts';
import type { SettingOrigin } from './sourced.ts';

/** A setting as it may be shown to anyone who may see the configuration: without its secrets. */
export interface ShownSetting {
  key: SettingKey;
  /** Null where it has no value. */
  value: unknown;
  origin: SettingOrigin;
  summary: string;
}

/** Every setting in the order of the table (CLI-19). */
export function describeSettings({ settings, origins }: LoadedSettings): ShownSetting[] {
  return listKeys().map((key) => {
    const setting: Setting = SETTINGS[key];
    const value = settings[key];
    return {
      key,
      value: value === undefined ? null : showValue(setting, value),
      origin: origins[key],
      summary: setting.summary,
    };
  });
}

function listKeys(): SettingKey[] {
  const keys: SettingKey[] = [];
  for (const key in SETTINGS) if (isKey(key)) keys.push(key);
  return keys;
}

function isKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}
