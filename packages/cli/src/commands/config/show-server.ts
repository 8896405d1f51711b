import { nearest } from '@catalog/core/text/nearest';
import { describeSettings, type ShownSetting } from '@catalog/server/config/describe-settings';
import { loadSettings } from '@catalog/server/config/load';
import type { SettingOrigin } from '@catalog/server/config/sourced';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { shortPath } from '../../output/places.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { readServerConfigFlag } from '../server-config-flag.ts';
import type { configShowDefinition } from './definition.ts';
import { showValue } from './show-value.ts';

/** Shows the settings that `serve` would use in this folder (CLI-19). */
export function showServer(
  flags: CommandInput<typeof configShowDefinition>['flags'],
  session: Session,
): CommandResult {
  const { cwd, home, env } = session;
  const config = readServerConfigFlag(flags.config, 'config show');
  const loaded = loadSettings({ cwd, home, env, flags: {}, config });
  const shown = describeSettings(loaded);
  if (flags.explain !== undefined) {
    const setting = findSetting(shown, flags.explain);
    return { lines: explanationLines(setting, session), json: setting };
  }
  const values = shown.map(({ key, value, origin }) => ({ key, value, origin }));
  return {
    lines: settingLines(shown, loaded.file, session),
    json: { file: loaded.file ?? null, values },
  };
}

function findSetting(shown: readonly ShownSetting[], key: string): ShownSetting {
  const wanted = key.replace(/^registry\./, '');
  const found = shown.find((setting) => setting.key === wanted);
  if (found !== undefined) return found;
  const keys = shown.map((setting) => setting.key);
  const meant = nearest(wanted, keys) ?? keys.find((known) => known.endsWith(`.${wanted}`));
  throw usageError(
    `Unknown server setting: ${key}.`,
    meant === undefined
      ? 'To list all settings, run `catalog config show --server`.'
      : `Did you mean \`${meant}\`?`,
    {
      command: 'config show',
      argument: '--explain',
      ...(meant === undefined ? {} : { did_you_mean: meant }),
    },
  );
}

function settingLines(
  shown: readonly ShownSetting[],
  file: string | undefined,
  session: Session,
): Line[] {
  const header = ['key', 'value', 'from'].map((title): Line => [styled('bold', title)]);
  const rows = shown.map(({ key, value, origin }) => [
    key,
    showValue(value ?? undefined, session),
    showOrigin(origin, session),
  ]);
  return [
    file === undefined ? 'no registry.yaml' : `file ${shortPath(file, session)}`,
    '',
    ...alignColumns([header, ...rows]),
  ];
}

function explanationLines({ key, summary, value, origin }: ShownSetting, session: Session): Line[] {
  const row = ['effective', showValue(value ?? undefined, session), showOrigin(origin, session)];
  return [[styled('bold', key), `: ${summary}`], ...alignColumns([row], '  ')];
}

function showOrigin({ kind, name, line }: SettingOrigin, session: Session): string {
  if (kind === 'built-in') return 'default';
  if (kind === 'file') return `${shortPath(name, session)}:${line ?? 1}`;
  return kind === 'env' ? `$${name}` : `flag ${name}`;
}
