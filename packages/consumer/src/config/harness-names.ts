export type HarnessSetting = string | string[];

export function harnessNames(setting: HarnessSetting): string[] {
  const words = typeof setting === 'string' ? setting.split(',') : setting;
  return [...new Set(words.map((word) => word.trim()))];
}

export function harnessText(setting: HarnessSetting | undefined): string | undefined {
  return setting === undefined ? undefined : harnessNames(setting).join(',');
}
