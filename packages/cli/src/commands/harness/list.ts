import {
  HOOK_EVENTS,
  LISTED_TYPES,
  RULE_MODES,
  type FirstClassType,
} from '@catalog/core/artifact/types';
import type { HarnessAdapter, Support } from '@catalog/harness/adapter';
import { adapters } from '@catalog/harness/registry';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult } from '../../command/session.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import type { harnessListDefinition } from './definition.ts';

const WORDS: Readonly<Record<Support, Line>> = {
  native: [styled('green', 'yes')],
  fallback: [styled('yellow', 'fallback')],
  unsupported: [styled('dim', 'no')],
};

export function run(_input: CommandInput<typeof harnessListDefinition>): CommandResult {
  const all = [...adapters.values()];
  const header = ['harness', ...LISTED_TYPES].map((title): Line => [styled('bold', title)]);
  return {
    lines: [
      ...alignColumns([header, ...all.map(toRow)]),
      '',
      ...alignColumns(all.map(({ id, summary }) => [id, summary])),
      '',
      'Next: for file locations and details, run `catalog harness show <id>`.',
    ],
    json: { harnesses: all.map(toDocument) },
  };
}

function toRow(adapter: HarnessAdapter): Line[] {
  return [adapter.id, ...LISTED_TYPES.map((type) => cellOf(adapter, type))];
}

function cellOf({ capabilities, hook_events }: HarnessAdapter, type: FirstClassType): Line {
  if (type === 'hook') {
    const events = HOOK_EVENTS.filter((event) => hook_events[event] !== undefined).length;
    if (events === 0 || events === HOOK_EVENTS.length)
      return WORDS[events === 0 ? 'unsupported' : 'native'];
    return [styled('yellow', `${events} of ${HOOK_EVENTS.length}`)];
  }
  if (type !== 'rule') return WORDS[capabilities[`type:${type}`]];
  const modes = new Set(RULE_MODES.map((mode) => capabilities[`rule_mode:${mode}`]));
  const [mode = 'unsupported'] = modes;
  return WORDS[modes.size === 1 ? mode : 'fallback'];
}

function toDocument({
  id,
  summary,
  label,
  detect,
  capabilities,
  hook_events,
}: HarnessAdapter): unknown {
  return { id, summary, label, detect, capabilities, hook_events };
}
