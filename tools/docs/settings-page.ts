import { showValue, type Setting } from '@catalog/server/config/setting';
import { SETTINGS } from '@catalog/server/config/settings';
import { code, page, table } from './markdown.ts';

export function settingsPage(): string {
  return page('Settings of a registry', 'packages/server/src/config/settings.ts', [
    '`catalog serve` reads each setting from a flag, else from an environment variable, else from `registry.yaml`. ' +
      'In the file, keys are nested under `registry:`; a dot in a key is one level. The file is ' +
      '`~/.catalog/registry.yaml`, or the one that `CATALOG_CONFIG_FILE` or `--config` names. In a string of the ' +
      'file, `${NAME}` is replaced with the environment variable, and `$${NAME}` is the literal `${NAME}`. Paths ' +
      'in the file are relative to its directory; other paths are relative to the working directory.',
    'The server refuses to start if it finds an unknown key, an environment variable with a typo, an invalid value, ' +
      'or a setting of a feature that this version does not have. `catalog config show --server` prints every ' +
      'value and its source, without secrets.',
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
  const { default_text: text = 'unset' } = setting;
  // One word is a value. Several words describe how the default is chosen.
  if (setting.default === undefined) return /^unset$| /.test(text) ? text : code(text);
  const value = showValue(setting, setting.default);
  if (Array.isArray(value) && value.length === 0) return 'none';
  if (Array.isArray(value)) return code(value.join(', '));
  return code(typeof value === 'string' ? value : JSON.stringify(value));
}
