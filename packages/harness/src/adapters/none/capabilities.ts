import { capabilityTable } from '../../capability-table.ts';

/** What is written as authored cannot be beyond anybody. */
export const capabilities = capabilityTable({
  types: 'native',
  fields: 'native',
  rule_modes: 'native',
  hook_events: 'native',
});
