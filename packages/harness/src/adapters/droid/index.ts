import type { Artifact } from '@catalog/core/artifact/types';
import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { HookEntryLanding } from '../../landing.ts';
import { fullModelName, listedTools, toolsOf } from '../../place/agent-keys.ts';
import { timedGroupedHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { modelsOf } from '../../place/authored-keys.ts';
import { authoredText, projectDocument } from '../../place/project-frontmatter.ts';
import { loadedAlways } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { droidHooks } from './hook-shim.ts';
import { agentText, TOOLS } from './agent-text.ts';
import { hookEvents } from './hook-events.ts';
import { droidReaders } from './read-back.ts';

const ID = 'droid';

const SERVERS: McpConfigFile = {
  path: '.factory/mcp.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

const HOOK: HookEntryLanding = {
  into: 'entry',
  path: '.factory/settings.json',
  container: ['hooks'],
  recorded: 'lock',
  events: hookEvents,
  without_event: 'refused',
  entry: timedGroupedHook(1),
  shim: commandShim(droidHooks),
};

function commandText(artifact: Artifact): string {
  return projectDocument(artifact, [
    ['description', artifact.description],
    ['argument-hint', authoredText(artifact, 'argument-hint')],
  ]);
}

/** Factory Droid. In the home folder it reads the same paths, but for the file of rules. */
export const droid = defineHarness({
  id: ID,
  summary: 'Factory Droid: .factory/, AGENTS.md',
  revision: 3,
  detect: ['.factory'],
  adopt: droidReaders,
  skill: { folders: ['.factory/skills', '.agents/skills'], derive_compatibility: true },
  agent: {
    path: '.factory/droids/{name}.md',
    render: agentText,
    takes: {
      ...listedTools(toolsOf(TOOLS)),
      model: modelsOf(fullModelName),
      effort_hint: 'converted',
    },
  },
  command: {
    path: '.factory/commands/{name}.md',
    render: commandText,
    takes: { 'argument-hint': 'native' },
    arguments: { all: '$ARGUMENTS' },
  },
  rule: { into: 'block', path: 'AGENTS.md', modes: loadedAlways(ID, 'AGENTS.md') },
  hook: HOOK,
  mcp_server: {
    project: SERVERS,
    user: SERVERS,
    entry: mcpEntry({
      secret: (name) => `\${${name}}`,
      type: ({ kind, transport }) => (kind === 'local' ? 'stdio' : (transport ?? 'http')),
    }),
  },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    rule: { into: 'block', path: '.factory/AGENTS.md', modes: loadedAlways(ID, 'AGENTS.md') },
    hook: { ...HOOK, shim: commandShim(droidHooks, 'home') },
  },
});
