import type { HarnessAdapter } from '../../adapter.ts';
import { placeCanonical } from './canonical.ts';
import { capabilities } from './capabilities.ts';
import { hookEvents } from './hook-events.ts';

/** No harness: the canonical layout as it is, for whoever reads it next. */
export const none: HarnessAdapter = {
  id: 'none',
  summary: 'the canonical layout, one folder for each artifact, for any reader',
  label: 'none',
  revision: 1,
  detect: [],
  capabilities,
  fallbacks: {},
  hook_events: hookEvents,
  place: {
    skill: placeCanonical,
    agent: placeCanonical,
    context: placeCanonical,
    command: placeCanonical,
    rule: placeCanonical,
    hook: placeCanonical,
    'mcp-server': placeCanonical,
    extension: placeCanonical,
  },
};
