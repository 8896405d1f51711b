import type { McpConfigFile, Refused } from '../../adapter.ts';
import type { ServerLimits } from '../../place/mcp-server.ts';
import { defineHarness } from '../../define-harness.ts';
import { timedFlatHook } from '../../place/hook-forms.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { hermesHooks } from './hook-shim.ts';
import { tapFormat } from '../../marketplace/formats/tap.ts';
import type { JsonObject } from '@catalog/core/json';
import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { mcpEntry } from '../../place/mcp-server.ts';
import type { AdoptReaders } from '../../adopt/adopt-source.ts';
import type { HookEventTable } from '../../hook-event-table.ts';

/** A matcher must match the whole name of a tool. */
const hookEvents = {
  session_start: { event: 'on_session_start' },
  // The product's own session end event comes after every turn.
  session_end: { event: 'on_session_finalize' },
  user_prompt_submit: {
    event: 'pre_llm_call',
    fallback: 'the hook receives the prompt and may add to it, but cannot reject it',
  },
  pre_tool_use: { event: 'pre_tool_call' },
  post_tool_use: { event: 'post_tool_call' },
  post_tool_use_failure: { event: 'post_tool_call' },
  pre_shell_execution: { event: 'pre_tool_call', matcher: '^terminal$' },
  post_shell_execution: { event: 'post_tool_call', matcher: '^terminal$' },
  pre_mcp_execution: { event: 'pre_tool_call', matcher: '^mcp__.*$' },
  post_mcp_execution: { event: 'post_tool_call', matcher: '^mcp__.*$' },
  pre_read_file: { event: 'pre_tool_call', matcher: '^read_file$' },
  post_file_edit: { event: 'post_tool_call', matcher: '^(write_file|patch)$' },
  permission_request: {
    event: 'pre_approval_request',
    fallback: 'the hook is notified of the request and cannot decide it',
    names_no_tool: true,
  },
  permission_denied: { event: 'post_approval_response', names_no_tool: true },
  subagent_start: {
    event: 'subagent_start',
    fallback: 'the hook is notified of the subagent and cannot stop it',
  },
  subagent_stop: { event: 'subagent_stop' },
  stop: {
    event: 'post_llm_call',
    fallback: 'the hook is notified that the turn ended and cannot continue it',
  },
  pre_compact: undefined,
  post_compact: undefined,
  notification: undefined,
} satisfies HookEventTable;

const hermesReaders: AdoptReaders = {
  hook: {
    matchers: 'whole',
    narrowed: { post_approval_response: 'it no longer runs where permission was given' },
  },
  prose: ['.hermes.md', 'HERMES.md'],
};

const entry = mcpEntry({ secret: (name) => `\${${name}}`, type: () => undefined });

/** Converts a server. `transport` is written only for the older one. */
function mcpServerEntry(server: McpServer): JsonObject {
  const sse = server.kind === 'remote' && server.transport === 'sse';
  return { ...entry(server), ...(sse ? { transport: 'sse' } : {}) };
}

const USER_SCOPE: Refused = {
  refused:
    'Hermes reads this from ~/.hermes/config.yaml only; use --scope user, or leave hermes out with target_harnesses',
};

function asSkill(what: string): Refused {
  return {
    refused: `Hermes has no ${what} in files; author it as a skill, or leave hermes out with target_harnesses`,
  };
}

const SERVERS: McpConfigFile = {
  path: '.hermes/config.yaml',
  container: ['mcp_servers'],
  recorded: 'lock',
};

const LIMITS: ServerLimits = {
  allowed: ['tools', 'include'],
  denied: ['tools', 'exclude'],
  timeout: { member: 'timeout', parts: 1 },
};

/**
 * Adapter for Hermes. In a project, Hermes reads skills after `hermes skills trust`, and one rules file. A `.hermes.md`
 * would replace the user's AGENTS.md, so rules go to AGENTS.md.
 */
export const hermes = defineHarness({
  id: 'hermes',
  summary: 'Hermes Agent: .hermes/skills, AGENTS.md, the rest in ~/.hermes',
  label: 'harness-i',
  revision: 3,
  detect: ['.hermes', '.hermes.md', 'HERMES.md'],
  adopt: hermesReaders,
  marketplace: tapFormat({
    id: 'hermes',
    groups: { path: 'skills.sh.json', schema: 'https://skills.sh/schemas/skills.sh.schema.json' },
  }),
  skill: { folders: ['.hermes/skills', '.agents/skills'], derive_compatibility: true },
  agent: asSkill('agents'),
  command: asSkill('commands'),
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes('hermes', 'AGENTS.md') },
  hook: USER_SCOPE,
  mcp_server: USER_SCOPE,
  mcp_config: { user: SERVERS, entry: mcpServerEntry, limits: LIMITS },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    skill: { folders: ['.hermes/skills'], derive_compatibility: true },
    rule: {
      into: 'block',
      path: '.hermes/AGENTS.md',
      modes: alwaysLoadedModes('hermes', 'AGENTS.md'),
    },
    hook: {
      into: 'entry',
      path: '.hermes/config.yaml',
      container: ['hooks'],
      recorded: 'lock',
      events: hookEvents,
      without_event: 'refused',
      entry: timedFlatHook,
      shim: commandShim(hermesHooks, 'home'),
    },
    mcp_server: { project: SERVERS, entry: mcpServerEntry, limits: LIMITS },
  },
});
