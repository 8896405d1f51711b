import type { Artifact } from '@catalog/core/artifact/types';
import type { McpConfigFile, PlaceContext, Untranslatable } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { HookEntryLanding } from '../../landing.ts';
import { timedFlatHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { cursorHooks } from './hook-shim.ts';
import { AGENT_KEYS, agentText } from './agent-text.ts';
import { closedFormat } from '../../marketplace/formats/closed.ts';
import type { AdoptReaders } from '../../adopt/adopt-source.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';
import type { HookEventTable } from '../../hook-event-table.ts';
import { markedBody } from '../../place/document-text.ts';
import { expandBraces, tooManyPatterns } from '../../place/expand-braces.ts';
import { splitGlobs } from '../../place/split-globs.ts';
import { yamlText } from '../../place/yaml-text.ts';
import { readMdcRule } from '../harness-d/read-rule.ts';

/** Nearly every hook event has its own Cursor event, so hooks need no matchers. */
const hookEvents = {
  session_start: { event: 'sessionStart' },
  session_end: { event: 'sessionEnd' },
  user_prompt_submit: { event: 'beforeSubmitPrompt' },
  pre_tool_use: { event: 'preToolUse' },
  post_tool_use: { event: 'postToolUse' },
  post_tool_use_failure: { event: 'postToolUseFailure' },
  pre_shell_execution: { event: 'beforeShellExecution' },
  post_shell_execution: { event: 'afterShellExecution' },
  pre_mcp_execution: { event: 'beforeMCPExecution' },
  post_mcp_execution: { event: 'afterMCPExecution' },
  pre_read_file: { event: 'beforeReadFile' },
  post_file_edit: { event: 'afterFileEdit' },
  permission_request: undefined,
  permission_denied: undefined,
  subagent_start: { event: 'subagentStart' },
  subagent_stop: { event: 'subagentStop' },
  stop: { event: 'stop' },
  pre_compact: {
    event: 'preCompact',
    fallback: 'the hook is notified of the compaction and cannot stop it',
  },
  post_compact: undefined,
  notification: undefined,
} satisfies HookEventTable;

const cursorReaders: AdoptReaders = {
  hook: { matchers: 'searched' },
  rule: readMdcRule,
  prose: ['.cursorrules', 'AGENTS.md'],
};

/** Cursor may reject unknown keys, so the lock records the owner. */
const SERVERS: McpConfigFile = {
  path: '.cursor/mcp.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

const HOOK: HookEntryLanding = {
  into: 'entry',
  path: '.cursor/hooks.json',
  container: ['hooks'],
  recorded: 'lock',
  events: hookEvents,
  without_event: 'refused',
  entry: timedFlatHook,
  beside: { version: 1 },
  shim: commandShim(cursorHooks),
};

export const cursor = defineHarness({
  id: 'cursor',
  summary: 'Cursor: .cursor/',
  label: 'harness-d',
  revision: 3,
  detect: ['.cursor', '.cursorrules'],
  adopt: cursorReaders,
  also_reads: [
    { path: 'AGENTS.md' },
    {
      path: '.claude/settings.json',
      opt_in: 'third-party plugins, skills and other configs are included in its settings',
    },
  ],
  marketplace: closedFormat({
    id: 'cursor',
    landing: 'cursor',
    root: '.cursor',
    manifests: '.cursor-plugin',
    plugin_root: '${CURSOR_PLUGIN_ROOT}',
  }),
  skill: {
    folders: ['.cursor/skills', '.agents/skills', '.claude/skills', '.codex/skills'],
    derive_compatibility: true,
  },
  agent: { path: '.cursor/agents/{name}.md', render: agentText, takes: AGENT_KEYS },
  // Cursor appends the arguments to the prompt and has no placeholders.
  command: { path: '.cursor/commands/{name}.md', render: commandText, arguments: {} },
  rule: {
    into: 'file',
    path: '.cursor/rules/{name}.mdc',
    render: ruleText,
    modes: { always: 'native', glob: 'native', auto: 'native', explicit: 'native' },
  },
  hook: HOOK,
  mcp_server: {
    project: SERVERS,
    user: SERVERS,
    entry: mcpEntry({
      secret: (name) => `\${env:${name}}`,
      type: ({ kind }) => (kind === 'local' ? 'stdio' : undefined),
    }),
  },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    rule: {
      refused:
        'Cursor keeps user rules in its settings, not in a file; sync it to a workspace, or author it as a skill',
    },
    hook: { ...HOOK, shim: commandShim(cursorHooks, 'home') },
  },
});

function commandText(artifact: Artifact, { name }: PlaceContext): string {
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
  ]);
}

/**
 * Renders a rule: three keys on one line each, with unquoted patterns, because Cursor treats quotes as part of a
 * pattern.
 */
function ruleText(artifact: Artifact): string | Untranslatable {
  const { rule_mode = 'always', rule_globs = '', rule_description } = artifact.fields;
  const own =
    rule_mode === 'auto' ? (rule_description ?? artifact.description) : artifact.description;
  const description = onOneLine(own);
  // With a description, the agent could load an explicit rule that the user did not name.
  const described =
    rule_mode !== 'explicit' && description !== '' ? ` ${yamlText(description)}` : '';
  const patterns = rule_mode === 'glob' ? expandBraces(splitGlobs(rule_globs)) : [];
  if (patterns === undefined) return { untranslatable: tooManyPatterns('Cursor') };
  const globs = rule_mode === 'glob' ? ` ${onOneLine(patterns.join(','))}` : '';
  return `---
description:${described}
globs:${globs}
alwaysApply: ${rule_mode === 'always'}
---
${markedBody(artifact)}`;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
