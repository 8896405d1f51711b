import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { secretsOf } from '../../place/secrets-of.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { hookModule } from '../../shim/hook-module.ts';
import { OPENCODE_PLUGIN, OPENCODE_TOOLS } from '../opencode/hook-plugin.ts';
import { LIMITS, mcpServerEntry } from '../harness-e/mcp-server-entry.ts';
import {
  AGENT_KEYS,
  agentText,
  APPROVAL_SUPPORT,
  permissionSettings,
} from '../opencode/agent-text.ts';
import { COMMAND } from '../opencode/command-text.ts';
import { hookEvents } from '../opencode/hook-events.ts';
import { opencodeReaders } from '../opencode/read-back.ts';
import { harnessName } from '../../product-names.ts';

const ID = 'kilo';

const SERVERS: McpConfigFile = { path: 'kilo.json', container: ['mcp'], recorded: 'lock' };
const USER: McpConfigFile = { ...SERVERS, path: '.config/kilo/kilo.json' };
const HOST = {
  harness: ID,
  runtime: '.catalog/hooks/kilo.mjs',
  program: OPENCODE_PLUGIN,
  matching: { title: harnessName('kilo'), ...OPENCODE_TOOLS },
};
const HOOK = { events: hookEvents, without_event: 'refused' } as const;

/** Rejects variables: Kilo ignores a project file that refers to an environment variable. */
function refusesVariables(server: McpServer): string | undefined {
  return secretsOf(server).length === 0
    ? undefined
    : 'Kilo resolves secrets only in the configuration of the user; use --scope user';
}

/** Adapter for Kilo, which has the features of OpenCode with other names. */
export const kilo = defineHarness({
  id: ID,
  summary: 'Kilo Code: .kilo/, AGENTS.md, kilo.json',
  revision: 3,
  detect: ['.kilo', '.kilocode', 'kilo.json', 'kilo.jsonc'],
  adopt: opencodeReaders,
  reads_settings: permissionSettings('kilo'),
  skill: {
    folders: ['.kilo/skills', '.claude/skills', '.agents/skills'],
    deduplicates: 'by_name',
    derive_compatibility: true,
  },
  agent: { path: '.kilo/agents/{name}.md', render: agentText, takes: AGENT_KEYS },
  command: { path: '.kilo/commands/{name}.md', ...COMMAND },
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes(ID, 'AGENTS.md') },
  hook: { ...hookModule({ ...HOST, path: '.kilo/plugins/catalog-{name}.js' }), ...HOOK },
  mcp_server: {
    project: SERVERS,
    user: USER,
    entry: mcpServerEntry,
    limits: LIMITS,
    refuses: refusesVariables,
  },
  context_pointer: true,
  fields: { ...UNREAD_FIELDS, requiresApproval: APPROVAL_SUPPORT },
  user: {
    skill: {
      folders: ['.kilo/skills', '.config/kilo/skills', '.claude/skills', '.agents/skills'],
      deduplicates: 'by_name',
      derive_compatibility: true,
    },
    agent: { path: '.config/kilo/agents/{name}.md', render: agentText, takes: AGENT_KEYS },
    command: { path: '.config/kilo/commands/{name}.md', ...COMMAND },
    rule: {
      into: 'block',
      path: '.config/kilo/AGENTS.md',
      modes: alwaysLoadedModes(ID, 'AGENTS.md'),
    },
    hook: { ...hookModule({ ...HOST, path: '.config/kilo/plugins/catalog-{name}.js' }), ...HOOK },
    mcp_server: { project: USER, entry: mcpServerEntry, limits: LIMITS },
  },
});
