import { HOOK_EVENTS } from '@catalog/core/artifact/types';
import type { HarnessAdapter, Support } from '@catalog/harness/adapter';
import { adapters } from '@catalog/harness/registry';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult } from '../../command/session.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import type { harnessListDefinition } from './definition.ts';

const TYPES = ['skill', 'agent', 'command', 'context', 'mcp-server'] as const;
const RULE_MODES = ['always', 'glob', 'auto', 'explicit'] as const;

const SUPPORT_WORDS: Readonly<Record<Support, Line>> = {
  native: [styled('green', 'yes')],
  fallback: [styled('yellow', 'fallback')],
  unsupported: [styled('dim', 'no')],
};

export function run(_input: CommandInput<typeof harnessListDefinition>): CommandResult {
  const all = [...adapters.values()];
  const header = [
    'harness',
    ...TYPES,
    ...RULE_MODES.map((mode) => `rule:${mode}`),
    'hook events',
  ].map((title): Line => [styled('bold', title)]);
  return {
    lines: [
      ...alignColumns([header, ...all.map(toRow)]),
      '',
      ...alignColumns(all.map(({ id, summary }) => [id, summary])),
    ],
    json: { harnesses: all.map(toDocument) },
  };
}

function toRow({ id, capabilities }: HarnessAdapter): Line[] {
  return [
    id,
    ...TYPES.map((type) => SUPPORT_WORDS[capabilities[`type:${type}`]]),
    ...RULE_MODES.map((mode) => SUPPORT_WORDS[capabilities[`rule_mode:${mode}`]]),
    hookWord(capabilities),
  ];
}

function hookWord(capabilities: HarnessAdapter['capabilities']): Line {
  const taken = HOOK_EVENTS.filter(
    (event) => capabilities[`hook_event:${event}`] !== 'unsupported',
  );
  return taken.length === 0 ? [styled('dim', 'no')] : `${taken.length} of ${HOOK_EVENTS.length}`;
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
