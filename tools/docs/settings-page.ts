import type { Setting } from '@catalog/server/config/setting';
import { SETTINGS } from '@catalog/server/config/settings';
import { code, page, table } from './markdown.ts';

export function settingsPage(): string {
  return page('Settings of a registry', 'packages/server/src/config/settings.ts', [
    'What `catalog serve` can be told: by a flag, else by a variable, else by `registry.yaml`, where every ' +
      'key stands under `registry:` and a dot is a level. The file is `~/.catalog/registry.yaml`, the one that ' +
      'CATALOG_CONFIG_FILE names, or the one that `--config` names. `${NAME}` in a text of the file stands for a ' +
      'variable, `$${NAME}` for itself. Paths in the file start at its folder, elsewhere at the working folder.',
    'An unknown key, a variable that looks like a misspelled one, a bad value, or a setting of a part that ' +
      'this version does not have stops the start. `catalog config show --server` prints every value and where ' +
      'it came from, without secrets.',
    table(
      ['Key', 'Meaning', 'Value', 'Default', 'Variable', 'Flag'],
      Object.entries<Setting>(SETTINGS).map(([key, setting]) => [
        code(key),
        setting.summary,
        setting.check.shape,
        defaultOf(setting),
        (setting.env ?? []).map(code).join(', '),
        setting.flag === undefined ? '' : code(`--${setting.flag}`),
      ]),
    ),
  ]);
}

function defaultOf(setting: Setting): string {
  const { default: value, default_text: text } = setting;
  if (value === undefined) return 'unset';
  if (Array.isArray(value) && value.length === 0) return 'none';
  if (Array.isArray(value)) return code(value.join(', '));
  return code(text ?? (typeof value === 'string' ? value : JSON.stringify(value)));
}
