/** What a key named `harness` may hold: one name, several with commas, or a list of them. */
export type HarnessSetting = string | string[];

/** The harnesses a setting or a flag names, each once. */
export function harnessNames(setting: HarnessSetting): string[] {
  const words = typeof setting === 'string' ? setting.split(',') : setting;
  return [...new Set(words.map((word) => word.trim()))];
}

/** The same as one text, with commas. */
export function harnessText(setting: HarnessSetting | undefined): string | undefined {
  return setting === undefined ? undefined : harnessNames(setting).join(',');
}
