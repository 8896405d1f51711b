import type { Config } from '@catalog/consumer/config/types';
import type { Toggles } from '@catalog/consumer/lock/types';
import type { SyncReport, TargetReport } from '@catalog/consumer/sync/report';
import { shellWord } from '@catalog/core/text/shell-word';
import { styled, type Line } from '../../output/text.ts';

const SHOWN_IDS = 10;

/** Describes the toggles that a plain sync resets. */
export function renderTogglesReset(
  mode: SyncReport['mode'],
  { toggles_reset: reset }: TargetReport,
  { config }: { config: Config },
): Line[] {
  if (reset === undefined) return [];
  const [done, was] = mode === 'sync' ? ['Reset', 'was'] : ['Would reset', 'is'];
  const ids = [
    ...shown(reset.remove).map((id) => `${id} (${was} disabled)`),
    ...shown(reset.add).map((id) => `${id} (${was} enabled)`),
  ];
  return [
    ['  ', styled('yellow', `${done} to the configuration`), `: ${ids.join(', ')}${more(reset)}`],
    ...saveHints(reset, config),
  ];
}

export function saveHints({ add, remove }: Toggles, config: Config): Line[] {
  return [...saveHint('disable', remove, config), ...saveHint('enable', add, config)];
}

function saveHint(state: 'enable' | 'disable', ids: readonly string[], { scope }: Config): Line[] {
  if (ids.length === 0) return [];
  const command = ['catalog sync', state, ...(scope === 'user' ? ['--scope user'] : []), '--save'];
  const words = [...command, ...shown(ids).map(shellWord)].join(' ');
  return [`  to ${state} permanently: \`${words}\``];
}

function shown(ids: readonly string[]): string[] {
  return ids.slice(0, SHOWN_IDS);
}

function more({ add, remove }: Toggles): string {
  const hidden = add.length + remove.length - shown(add).length - shown(remove).length;
  return hidden === 0 ? '' : `, and ${hidden} more; to list all, add --json`;
}
