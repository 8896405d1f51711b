import type { Artifact } from '@catalog/core/artifact/types';
import { GEMINI_ARGUMENTS } from '../gemini-cli/command-text.ts';
import { GEMINI_LIMITS } from '../gemini-cli/mcp-servers.ts';
import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { HookEntryLanding } from '../../landing.ts';
import { fullModelName, permissionOf, toolsOf } from '../../place/agent-keys.ts';
import { timedGroupedHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { modelsOf, TURNS } from '../../place/authored-keys.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';
import { loadedAlways } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { qwenHooks } from './hook-shim.ts';
import { agentText, deniedTaken, TOOLS } from './agent-text.ts';
import { hookEvents } from './hook-events.ts';
import { qwenReaders } from './read-back.ts';

const ID = 'qwen';

const SERVERS: McpConfigFile = {
  path: '.qwen/settings.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

const MILLISECONDS = 1000;

/**
 * Every release reads a timeout of 1000 or more in milliseconds. From 0.24 on, smaller ones are
 * seconds.
 */
const HOOK: HookEntryLanding = {
  into: 'entry',
  path: '.qwen/settings.json',
  container: ['hooks'],
  recorded: 'lock',
  events: hookEvents,
  without_event: 'refused',
  entry: timedGroupedHook(MILLISECONDS),
  shim: commandShim(qwenHooks),
};

function commandText(artifact: Artifact): string {
  return projectDocument(artifact, [['description', artifact.description]]);
}

/** Qwen Code. In the home folder it reads the same paths, but for the file of rules. */
export const qwen = defineHarness({
  id: ID,
  summary: 'Qwen Code: .qwen/, AGENTS.md',
  revision: 3,
  detect: ['.qwen', 'QWEN.md'],
  adopt: qwenReaders,
  skill: { folders: ['.qwen/skills', '.agents/skills'], derive_compatibility: true },
  agent: {
    path: '.qwen/agents/{name}.md',
    render: agentText,
    takes: {
      ...TURNS,
      tools: toolsOf(TOOLS),
      disallowedTools: deniedTaken,
      permission: permissionOf({ denies: true }),
      model: modelsOf(fullModelName),
    },
  },
  command: {
    path: '.qwen/commands/{name}.md',
    render: commandText,
    arguments: GEMINI_ARGUMENTS,
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
    limits: GEMINI_LIMITS,
  },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    rule: { into: 'block', path: '.qwen/QWEN.md', modes: loadedAlways(ID, 'QWEN.md') },
    hook: { ...HOOK, shim: commandShim(qwenHooks, 'home') },
  },
});
