import { capabilityTable } from '../../capability-table.ts';

/** All of it natively, but for two modes of rules. */
export const capabilities = capabilityTable({
  types: 'native',
  fields: 'native',
  rule_modes: { always: 'native', glob: 'native', auto: 'fallback', explicit: 'fallback' },
  hook_events: 'native',
});

const LOADED_ALWAYS = 'harness-a has no rules of this mode, so the rule is loaded always';

/** What becomes of a rule whose mode the harness lacks. */
export const fallbacks = {
  'rule_mode:auto': LOADED_ALWAYS,
  'rule_mode:explicit': LOADED_ALWAYS,
};
