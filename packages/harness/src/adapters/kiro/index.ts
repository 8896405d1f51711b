import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { HookFileLanding, ReadyHook } from '../../landing.ts';
import { proseAlone } from '../../place/document-text.ts';
import { SHIM_GRACE } from '../../place/hook-forms.ts';
import { SERVERS_OF_AGENTS, UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { kiroHooks } from './hook-shim.ts';
import { AGENT_KEYS, agentText } from './agent-text.ts';
import { hookEvents } from './hook-events.ts';
import { kiroReaders } from './read-back.ts';
import { serverEntry } from './server-entry.ts';
import { steeringText } from './steering-text.ts';

const SERVERS: McpConfigFile = {
  path: '.kiro/settings/mcp.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

const HOOK: HookFileLanding = {
  into: 'file',
  path: '.kiro/hooks/{name}.json',
  events: hookEvents,
  without_event: 'refused',
  render: hookText,
  beside: { version: 'v1' },
  shim: commandShim(kiroHooks),
};

function hookText({ artifact, native, command, timeout }: ReadyHook): string {
  const hook = {
    name: artifact.id,
    trigger: native.event,
    action: { type: 'command', command },
    ...(timeout === undefined ? {} : { timeout: timeout + SHIM_GRACE }),
    enabled: true,
  };
  return `${JSON.stringify({ version: 'v1', hooks: [hook] }, null, 2)}\n`;
}

/** Kiro, the IDE (1.0) and the command line (3.0). In the home folder it reads the same paths. */
export const kiro = defineHarness({
  id: 'kiro',
  summary: 'Kiro: .kiro/',
  revision: 4,
  detect: ['.kiro'],
  adopt: kiroReaders,
  also_reads: [{ path: 'AGENTS.md' }],
  skill: { folders: ['.kiro/skills'], derive_compatibility: true },
  agent: { path: '.kiro/agents/{name}.md', render: agentText, takes: AGENT_KEYS },
  command: { path: '.kiro/prompts/{name}.md', render: proseAlone, arguments: {} },
  rule: {
    into: 'file',
    path: '.kiro/steering/{name}.md',
    render: steeringText,
    modes: { always: 'native', glob: 'native', auto: 'native', explicit: 'native' },
  },
  hook: HOOK,
  mcp_server: {
    project: SERVERS,
    user: SERVERS,
    entry: serverEntry,
    limits: { denied: ['disabledTools'] },
  },
  context_pointer: true,
  fields: { ...UNREAD_FIELDS, mcpServers: SERVERS_OF_AGENTS },
  user: { hook: { ...HOOK, shim: commandShim(kiroHooks, 'home') } },
});
