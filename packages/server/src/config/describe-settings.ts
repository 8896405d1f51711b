import type { LoadedSettings } from './load.ts';
import { showValue, type Setting } from './setting.ts';
import { SETTINGS, type SettingKey } from './settings.ts';
import type { SettingOrigin } from './sourced.ts';

export interface ShownSetting {
  key: SettingKey;
  value: unknown;
  origin: SettingOrigin;
  summary: string;
}

/** Lists all settings and their sources (CLI-19). */
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
