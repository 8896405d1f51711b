import type { Artifact } from '@catalog/core/artifact/types';
import { GEMINI_ARGUMENTS } from '../gemini-cli/command-text.ts';
import { GEMINI_LIMITS } from '../gemini-cli/mcp-servers.ts';
import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { Fallback, HookEntryLanding } from '../../landing.ts';
import { fullModelName, permissionOf, toolsOf } from '../../place/agent-keys.ts';
import { timedGroupedHook } from '../../place/hook-forms.ts';
import { modelsOf, TURNS } from '../../place/authored-keys.ts';
import { authoredText, authoredValue, projectDocument } from '../../place/project-frontmatter.ts';
import { SERVERS_OF_AGENTS, UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { markedBody, proseAsWholeFile } from '../../place/document-text.ts';
import { splitGlobs } from '../../place/split-globs.ts';
import type { AdoptReaders, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { canonicalServers, canonicalTools } from '../../adopt/agent-keys-back.ts';
import type { HookEventTable } from '../../hook-event-table.ts';
import { readRule } from '../harness-a/read-rule.ts';
import { qwenHooks } from './hook-shim.ts';
import {
  agentText,
  describeDenialLoss,
  mcpServerEntry,
  MODE_KEYS,
  describeOmittedServers,
  TOOLS,
} from './agent-text.ts';

const hookEvents = {
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  user_prompt_submit: { event: 'UserPromptSubmit' },
  pre_tool_use: { event: 'PreToolUse' },
  post_tool_use: { event: 'PostToolUse' },
  post_tool_use_failure: { event: 'PostToolUseFailure' },
  pre_shell_execution: { event: 'PreToolUse', matcher: '^run_shell_command$' },
  post_shell_execution: { event: 'PostToolUse', matcher: '^run_shell_command$' },
  pre_mcp_execution: { event: 'PreToolUse', matcher: '^mcp__' },
  post_mcp_execution: { event: 'PostToolUse', matcher: '^mcp__' },
  pre_read_file: { event: 'PreToolUse', matcher: '^(read_file|read_many_files)$' },
  post_file_edit: { event: 'PostToolUse', matcher: '^(edit|write_file)$' },
  permission_request: { event: 'PermissionRequest' },
  permission_denied: undefined,
  subagent_start: { event: 'SubagentStart' },
  subagent_stop: { event: 'SubagentStop' },
  stop: { event: 'Stop' },
  pre_compact: { event: 'PreCompact' },
  post_compact: undefined,
  notification: { event: 'Notification' },
} satisfies HookEventTable;

const qwenReaders: AdoptReaders = {
  agent: readAgent,
  hook: {
    seconds: (timeout) => (timeout < 1000 ? timeout : timeout / 1000),
    matchers: 'searched',
  },
  rule: readRule,
  prose: ['QWEN.md', 'AGENTS.md'],
};

function readAgent({ values, body }: ProductDocument): Reading {
  const { name: _name, tools, mcpServers, ...kept } = values;
  const changes: string[] = [];
  return {
    values: {
      ...kept,
      ...canonicalTools(tools, TOOLS, changes),
      ...canonicalServers(mcpServers, mcpServerEntry, changes),
    },
    body,
    changes,
  };
}

const ID = 'qwen';

const SERVERS: McpConfigFile = {
  path: '.qwen/settings.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

const MILLISECONDS = 1000;

/** Every release treats a timeout of 1000 or more as milliseconds. Since 0.24, smaller values are seconds. */
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
  return projectDocument(artifact, [
    ['description', artifact.description],
    ['argument-hint', authoredText(artifact, 'argument-hint')],
    ['disable-model-invocation', authoredValue(artifact, 'disable-model-invocation')],
  ]);
}

const LOADED_ALWAYS: Fallback = {
  fallback: 'Qwen Code has no rules of this mode, so the rule is loaded always',
};

/** Adapter for Qwen Code, with the same paths in the home folder. */
export const qwen = defineHarness({
  id: ID,
  summary: 'Qwen Code: .qwen/, AGENTS.md',
  revision: 5,
  former: [
    { into: 'block', path: 'AGENTS.md' },
    { into: 'block', path: '.qwen/QWEN.md' },
  ],
  detect: ['.qwen', 'QWEN.md'],
  adopt: qwenReaders,
  skill: { folders: ['.qwen/skills', '.agents/skills'], derive_compatibility: true },
  agent: {
    path: '.qwen/agents/{name}.md',
    render: agentText,
    takes: {
      ...TURNS,
      ...MODE_KEYS,
      tools: toolsOf(TOOLS),
      disallowedTools: describeDenialLoss,
      permission: permissionOf({ denies: true }),
      model: modelsOf(fullModelName),
    },
    warn: describeOmittedServers,
  },
  command: {
    path: '.qwen/commands/{name}.md',
    render: commandText,
    takes: { 'argument-hint': 'native', 'disable-model-invocation': 'native' },
    arguments: GEMINI_ARGUMENTS,
  },
  also_reads: [{ path: 'AGENTS.md' }],
  rule: {
    into: 'file',
    path: '.qwen/rules/{name}.md',
    render: ruleText,
    modes: { always: 'native', glob: 'native', auto: LOADED_ALWAYS, explicit: LOADED_ALWAYS },
  },
  hook: HOOK,
  mcp_server: {
    project: SERVERS,
    user: SERVERS,
    entry: mcpServerEntry,
    limits: GEMINI_LIMITS,
  },
  context_pointer: true,
  fields: { ...UNREAD_FIELDS, mcpServers: SERVERS_OF_AGENTS },
  user: {
    hook: { ...HOOK, shim: commandShim(qwenHooks, 'home') },
  },
});

/** Renders a rule. Qwen Code compares patterns with whole paths, so `*.tf` needs a prefix. */
function ruleText(artifact: Artifact): string {
  const { rule_mode, rule_globs = '' } = artifact.fields;
  const globs = rule_mode === 'glob' ? splitGlobs(rule_globs) : [];
  if (globs.length === 0) return proseAsWholeFile(artifact);
  const paths = globs
    .map((glob) => (glob.includes('/') ? glob : `**/${glob}`))
    .map((glob) => `  - ${JSON.stringify(glob)}\n`);
  return `---\npaths:\n${paths.join('')}---\n${markedBody(artifact)}`;
}
