import type { Destination, HarnessAdapter } from '../../adapter.ts';
import { placeCanonical } from './canonical.ts';
import { capabilities } from './capabilities.ts';
import { hookEvents } from './hook-events.ts';

const CANONICAL: Destination = { into: 'folder', path: '{id}' };

/** No harness: the canonical layout as it is, for whoever reads it next. */
export const none: HarnessAdapter = {
  id: 'none',
  summary: 'the canonical layout, one folder for each artifact, for any reader',
  label: 'none',
  revision: 1,
  detect: [],
  capabilities,
  fallbacks: {},
  refusals: {},
  hook_events: hookEvents,
  skill_folders: [],
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
  destinations: {
    skill: CANONICAL,
    agent: CANONICAL,
    context: CANONICAL,
    command: CANONICAL,
    rule: CANONICAL,
    hook: CANONICAL,
    'mcp-server': CANONICAL,
    extension: CANONICAL,
  },
  ownedPlaces: () => [{ into: 'folder', path: '{id}' }],
  mcp_config: { refused: 'the canonical layout is for no program that would run a server' },
};
