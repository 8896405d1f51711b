import { capabilityTable } from '../../capability-table.ts';

export const capabilities = capabilityTable({
  types: 'native',
  fields: 'native',
  rule_modes: { always: 'native', glob: 'native', auto: 'fallback', explicit: 'fallback' },
  hook_events: 'native',
});

const LOADED_ALWAYS = 'harness-a has no rules of this mode, so the rule is loaded always';

export const fallbacks = {
  'rule_mode:auto': LOADED_ALWAYS,
  'rule_mode:explicit': LOADED_ALWAYS,
};
