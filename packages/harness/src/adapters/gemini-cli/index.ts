import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { HookEntryLanding } from '../../landing.ts';
import { timedGroupedHook } from '../../place/hook-forms.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { SERVERS_OF_AGENTS, UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { geminiCliHooks } from './hook-shim.ts';
import { AGENT_KEYS, agentText } from './agent-text.ts';
import { commandText, GEMINI_ARGUMENTS } from './command-text.ts';
import { GEMINI_LIMITS, mcpServerEntry, whyNotRun } from './mcp-servers.ts';
import { extensionFormat } from '../../marketplace/formats/extension.ts';
import type { HookEventTable } from '../../hook-event-table.ts';
import { geminiCliReaders } from './read-back.ts';

/** For its caller, an agent is a tool. A prompt starts the turn of the main agent. */
const hookEvents = {
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  user_prompt_submit: { event: 'BeforeAgent' },
  pre_tool_use: { event: 'BeforeTool' },
  post_tool_use: { event: 'AfterTool' },
  // The script ignores successful calls.
  post_tool_use_failure: { event: 'AfterTool' },
  pre_shell_execution: { event: 'BeforeTool', matcher: '^run_shell_command$' },
  post_shell_execution: { event: 'AfterTool', matcher: '^run_shell_command$' },
  pre_mcp_execution: { event: 'BeforeTool', matcher: '^mcp_' },
  post_mcp_execution: { event: 'AfterTool', matcher: '^mcp_' },
  pre_read_file: { event: 'BeforeTool', matcher: '^(read_file|read_many_files)$' },
  post_file_edit: { event: 'AfterTool', matcher: '^(write_file|replace)$' },
  permission_request: {
    event: 'Notification',
    fallback: 'the hook is notified of the request and cannot decide it',
    names_no_tool: true,
  },
  permission_denied: undefined,
  subagent_start: { event: 'BeforeTool', matcher: '^invoke_agent$' },
  subagent_stop: { event: 'AfterTool', matcher: '^invoke_agent$' },
  stop: { event: 'AfterAgent' },
  pre_compact: {
    event: 'PreCompress',
    fallback: 'the hook is notified of the compaction and cannot stop it',
  },
  post_compact: undefined,
  notification: { event: 'Notification' },
} satisfies HookEventTable;

const SETTINGS: McpConfigFile = {
  path: '.gemini/settings.json',
  container: ['mcpServers'],
  recorded: 'file',
};

const MILLISECONDS = 1000;

const HOOK: HookEntryLanding = {
  into: 'entry',
  path: '.gemini/settings.json',
  container: ['hooks'],
  recorded: 'file',
  events: hookEvents,
  without_event: 'refused',
  entry: timedGroupedHook(MILLISECONDS),
  shim: commandShim(geminiCliHooks),
};

export const geminiCli = defineHarness({
  id: 'gemini-cli',
  summary: 'Gemini CLI: .gemini/, GEMINI.md',
  label: 'harness-g',
  revision: 3,
  detect: ['.gemini', 'GEMINI.md'],
  adopt: geminiCliReaders,
  rules_import: { path: 'GEMINI.md' },
  marketplace: extensionFormat({
    id: 'gemini-cli',
    landing: 'gemini-cli',
    root: '.gemini',
    manifest: 'gemini-extension.json',
    context_file: 'GEMINI.md',
    plugin_root: '${extensionPath}',
  }),
  skill: { folders: ['.gemini/skills', '.agents/skills'], derive_compatibility: true },
  agent: { path: '.gemini/agents/{name}.md', render: agentText, takes: AGENT_KEYS },
  command: {
    path: '.gemini/commands/{name}.toml',
    render: commandText,
    arguments: GEMINI_ARGUMENTS,
  },
  rule: { into: 'block', path: 'GEMINI.md', modes: alwaysLoadedModes('Gemini CLI', 'GEMINI.md') },
  hook: HOOK,
  mcp_server: {
    project: SETTINGS,
    user: SETTINGS,
    entry: mcpServerEntry,
    limits: GEMINI_LIMITS,
    refuses: whyNotRun,
  },
  context_pointer: true,
  fields: {
    ...UNREAD_FIELDS,
    mcpServers: SERVERS_OF_AGENTS,
  },
  user: {
    rule: {
      into: 'block',
      path: '.gemini/GEMINI.md',
      modes: alwaysLoadedModes('Gemini CLI', 'GEMINI.md'),
    },
    hook: { ...HOOK, shim: commandShim(geminiCliHooks, 'home') },
  },
});
