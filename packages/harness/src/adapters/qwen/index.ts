import type { Artifact } from '@catalog/core/artifact/types';
import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { HookEntryLanding } from '../../landing.ts';
import { fullModelName, toolsOf } from '../../place/agent-keys.ts';
import { groupedHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { modelsOf } from '../../place/narrowing-keys.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';
import { loadedAlways } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { qwenHooks } from './hook-shim.ts';
import { agentText, TOOLS } from './agent-text.ts';
import { hookEvents } from './hook-events.ts';
import { qwenReaders } from './read-back.ts';

const ID = 'qwen';

const SERVERS: McpConfigFile = {
  path: '.qwen/settings.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

/** Its releases disagree about the unit of a time-out; the script before the command keeps it. */
const HOOK: HookEntryLanding = {
  into: 'entry',
  path: '.qwen/settings.json',
  container: ['hooks'],
  recorded: 'lock',
  events: hookEvents,
  without_event: 'refused',
  entry: groupedHook,
  shim: commandShim(qwenHooks),
};

function commandText(artifact: Artifact): string {
  return projectDocument(artifact, [['description', artifact.description]]);
}

/** Qwen Code. In the home folder it reads the same paths, but for the file of rules. */
export const qwen = defineHarness({
  id: ID,
  summary: 'Qwen Code: .qwen/, AGENTS.md',
  revision: 2,
  detect: ['.qwen', 'QWEN.md'],
  adopt: qwenReaders,
  skill: { folders: ['.qwen/skills', '.agents/skills'], derive_compatibility: true },
  agent: {
    path: '.qwen/agents/{name}.md',
    render: agentText,
    takes: { tools: toolsOf(TOOLS), model: modelsOf(fullModelName) },
  },
  command: {
    path: '.qwen/commands/{name}.md',
    render: commandText,
    arguments: { all: '{{args}}' },
  },
  rule: { into: 'block', path: 'AGENTS.md', modes: loadedAlways(ID, 'AGENTS.md') },
  hook: HOOK,
  mcp_server: {
    project: SERVERS,
    user: SERVERS,
    entry: mcpEntry({
      secret: (name) => `\${${name}}`,
      type: () => undefined,
      url: ({ transport }) => (transport === 'sse' ? 'url' : 'httpUrl'),
    }),
  },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    rule: { into: 'block', path: '.qwen/QWEN.md', modes: loadedAlways(ID, 'QWEN.md') },
    hook: { ...HOOK, shim: commandShim(qwenHooks, 'home') },
  },
});
