import type { Artifact } from '@catalog/core/artifact/types';
import type { McpConfigFile, PlaceContext, Untranslatable } from '../../adapter.ts';
import { defineHarness, NO_EVENTS } from '../../define-harness.ts';
import type { HookEntryLanding } from '../../landing.ts';
import { fullModelName, listedTools, toolsOf, mappedTools } from '../../place/agent-keys.ts';
import { timedGroupedHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { modelsOf } from '../../place/authored-keys.ts';
import { authoredText, projectDocument } from '../../place/project-frontmatter.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import type { HookEventTable } from '../../hook-event-table.ts';
import type { AdoptReaders, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { canonicalTools, given } from '../../adopt/agent-keys-back.ts';
import { withoutDescription } from '../../place/needs-description.ts';
import { droidHooks } from './hook-shim.ts';

const TOOLS: ReadonlyMap<string, string> = new Map([
  ['Read', 'Read'],
  ['LS', 'LS'],
  ['Grep', 'Grep'],
  ['Glob', 'Glob'],
  ['Write', 'Create'],
  ['Edit', 'Edit'],
  ['MultiEdit', 'Edit'],
  ['Bash', 'Execute'],
  ['WebSearch', 'WebSearch'],
  ['WebFetch', 'FetchUrl'],
  ['TodoWrite', 'TodoWrite'],
]);

function agentText(artifact: Artifact, { name }: PlaceContext): string | Untranslatable {
  const { effort_hint: effort } = artifact.fields;
  const refusal = withoutDescription(artifact, 'Droid');
  if (refusal !== undefined) return refusal;
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
    ['model', fullModelName(artifact) ?? 'inherit'],
    ['reasoningEffort', effort === 'max' ? 'high' : effort],
    ['tools', mappedTools(artifact, TOOLS)],
  ]);
}

const droidReaders: AdoptReaders = {
  agent: readAgent,
  hook: { matchers: 'searched' },
};

function readAgent({ values, body }: ProductDocument): Reading {
  const { name: _name, tools, model, reasoningEffort: effort, ...kept } = values;
  const changes: string[] = [];
  if (effort !== undefined) changes.push('reasoningEffort is effort_hint');
  return {
    values: {
      ...kept,
      ...(model === 'inherit' ? {} : given('model', model)),
      ...given('effort_hint', effort),
      ...canonicalTools(tools, TOOLS, changes),
    },
    body,
    changes,
  };
}

const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  user_prompt_submit: { event: 'UserPromptSubmit' },
  pre_tool_use: { event: 'PreToolUse' },
  post_tool_use: { event: 'PostToolUse' },
  pre_shell_execution: { event: 'PreToolUse', matcher: '^Execute$' },
  post_shell_execution: { event: 'PostToolUse', matcher: '^Execute$' },
  pre_mcp_execution: { event: 'PreToolUse', matcher: '^mcp__' },
  post_mcp_execution: { event: 'PostToolUse', matcher: '^mcp__' },
  pre_read_file: { event: 'PreToolUse', matcher: '^Read$' },
  post_file_edit: { event: 'PostToolUse', matcher: '^(Edit|Create|ApplyPatch)$' },
  subagent_stop: { event: 'SubagentStop' },
  stop: { event: 'Stop' },
  pre_compact: { event: 'PreCompact' },
  notification: { event: 'Notification' },
};

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

/** Adapter for Droid. In the home folder, only the rules file differs. */
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
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes(ID, 'AGENTS.md') },
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
    rule: { into: 'block', path: '.factory/AGENTS.md', modes: alwaysLoadedModes(ID, 'AGENTS.md') },
    hook: { ...HOOK, shim: commandShim(droidHooks, 'home') },
  },
});
