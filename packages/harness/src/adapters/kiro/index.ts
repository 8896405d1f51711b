import type { Artifact, RuleMode } from '@catalog/core/artifact/types';
import type { McpConfigFile, PlaceContext } from '../../adapter.ts';
import { defineHarness, NO_EVENTS } from '../../define-harness.ts';
import type { HookFileLanding, ReadyHook } from '../../landing.ts';
import { proseAsWholeFile } from '../../place/document-text.ts';
import { SHIM_GRACE_SECONDS } from '../../place/hook-forms.ts';
import { SERVERS_OF_AGENTS, UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import type { HookEventTable } from '../../hook-event-table.ts';
import { projectDocument, type ProjectedKey } from '../../place/project-frontmatter.ts';
import { splitGlobs } from '../../place/split-globs.ts';
import { kiroHooks } from './hook-shim.ts';
import { AGENT_KEYS, agentText } from './agent-text.ts';
import { kiroReaders } from './read-back.ts';
import { serverEntry } from './server-entry.ts';

const UNSTOPPABLE = 'the hook is notified and cannot stop it';

/**
 * The editor and the command line tool have different tool names, so the script checks the tool instead of a matcher.
 */
const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  session_start: { event: 'SessionStart' },
  session_end: {
    event: 'SessionEnd',
    fallback: 'Kiro reports the end of a session only on the command line, from 2.25 on',
  },
  user_prompt_submit: { event: 'UserPromptSubmit' },
  pre_tool_use: { event: 'PreToolUse' },
  post_tool_use: { event: 'PostToolUse' },
  pre_shell_execution: { event: 'PreToolUse' },
  post_shell_execution: { event: 'PostToolUse' },
  pre_mcp_execution: { event: 'PreToolUse' },
  post_mcp_execution: { event: 'PostToolUse' },
  pre_read_file: { event: 'PreToolUse' },
  post_file_edit: { event: 'PostToolUse' },
  stop: { event: 'Stop', fallback: UNSTOPPABLE },
};

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
    ...(timeout === undefined ? {} : { timeout: timeout + SHIM_GRACE_SECONDS }),
    enabled: true,
  };
  return `${JSON.stringify({ version: 'v1', hooks: [hook] }, null, 2)}\n`;
}

/** Adapter for the Kiro IDE (1.0) and the command line tool (3.0), with the same paths in the home folder. */
export const kiro = defineHarness({
  id: 'kiro',
  summary: 'Kiro: .kiro/',
  revision: 4,
  detect: ['.kiro'],
  adopt: kiroReaders,
  also_reads: [{ path: 'AGENTS.md' }],
  skill: { folders: ['.kiro/skills'], derive_compatibility: true },
  agent: { path: '.kiro/agents/{name}.md', render: agentText, takes: AGENT_KEYS },
  command: { path: '.kiro/prompts/{name}.md', render: proseAsWholeFile, arguments: {} },
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

function steeringText(artifact: Artifact, context: PlaceContext): string {
  const keys = RULE_KEYS[artifact.fields.rule_mode ?? 'always'](artifact, context);
  return projectDocument(artifact, keys);
}

type RuleKeys = (artifact: Artifact, context: PlaceContext) => ProjectedKey[];

const RULE_KEYS: Readonly<Record<RuleMode, RuleKeys>> = {
  always: () => [['inclusion', 'always']],
  glob: ({ fields }) => {
    const globs = splitGlobs(fields.rule_globs ?? '');
    const [only = ''] = globs;
    return [
      ['inclusion', 'fileMatch'],
      ['fileMatchPattern', globs.length === 1 ? only : globs],
    ];
  },
  auto: ({ fields, description }, { name }) => [
    ['inclusion', 'auto'],
    ['name', name],
    ['description', fields.rule_description ?? description],
  ],
  explicit: () => [['inclusion', 'manual']],
};
