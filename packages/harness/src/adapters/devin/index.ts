import type { Artifact, RuleMode } from '@catalog/core/artifact/types';
import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness, NO_EVENTS } from '../../define-harness.ts';
import type { HookEntryLanding, Landings } from '../../landing.ts';
import { timedGroupedHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { AS_SKILL, unsupportedFeature, notWritten } from '../../place/unsupported-feature.ts';
import { refusesSecrets } from '../../place/refuses-secrets.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { devinHooks } from './hook-shim.ts';
import type { ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { namesIn } from '../../adopt/agent-keys-back.ts';
import type { HookEventTable } from '../../hook-event-table.ts';
import { projectDocument, type ProjectedKey } from '../../place/project-frontmatter.ts';
import { splitGlobs } from '../../place/split-globs.ts';
import { readTriggeredRule } from '../antigravity/read-rule.ts';

const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  user_prompt_submit: { event: 'UserPromptSubmit' },
  pre_tool_use: { event: 'PreToolUse' },
  post_tool_use: { event: 'PostToolUse' },
  pre_shell_execution: { event: 'PreToolUse', matcher: '^exec$' },
  post_shell_execution: { event: 'PostToolUse', matcher: '^exec$' },
  pre_mcp_execution: { event: 'PreToolUse', matcher: '^mcp__' },
  post_mcp_execution: { event: 'PostToolUse', matcher: '^mcp__' },
  pre_read_file: { event: 'PreToolUse', matcher: '^read$' },
  post_file_edit: { event: 'PostToolUse', matcher: '^edit$' },
  permission_request: { event: 'PermissionRequest' },
  stop: { event: 'Stop' },
  post_compact: { event: 'PostCompaction' },
};

const ID = 'devin';

function servers(folder: string): McpConfigFile {
  return { path: `${folder}/mcp_config.json`, container: ['mcpServers'], recorded: 'lock' };
}

const FORM = {
  entry: mcpEntry({ secret: (name) => name, type: () => undefined }),
  limits: { denied: ['disabledTools'] },
  refuses: refusesSecrets(ID),
};

/** In a project, the file contains only events at its top level. */
const HOOK: HookEntryLanding = {
  into: 'entry',
  path: '.devin/hooks.v1.json',
  container: [],
  recorded: 'lock',
  events: hookEvents,
  without_event: 'refused',
  entry: timedGroupedHook(1),
  shim: commandShim(devinHooks),
};

function atHome(folder: string): Partial<Landings> {
  return {
    skill: {
      folders: [`${folder}/skills`, '.agents/skills'],
      derive_compatibility: true,
      warn: otherToolNames,
    },
    rule: { into: 'block', path: `${folder}/AGENTS.md`, modes: alwaysLoadedModes(ID, 'AGENTS.md') },
    hook: {
      ...HOOK,
      path: `${folder}/config.json`,
      container: ['hooks'],
      shim: commandShim(devinHooks, 'home'),
    },
    mcp_server: { project: servers(folder), ...FORM },
  };
}

const CONFIG = '.config/devin';
const ROAMING = 'AppData/Roaming/devin';

/** Adapter for Devin Desktop, formerly Windsurf, and the Devin command line tool. */
export const devin = defineHarness({
  id: ID,
  summary: 'Devin Desktop (formerly Windsurf): .devin/',
  revision: 2,
  detect: ['.devin', '.windsurf', '.windsurfrules'],
  adopt: { rule: readRule, hook: { matchers: 'searched' }, prose: ['.windsurfrules'] },
  also_reads: [{ path: 'AGENTS.md' }, { path: '.claude/settings.json' }],
  skill: {
    folders: ['.devin/skills', '.agents/skills', '.windsurf/skills'],
    derive_compatibility: true,
    warn: otherToolNames,
  },
  // The documentation calls custom subagents experimental.
  agent: notWritten(ID, 'agents', AS_SKILL),
  command: unsupportedFeature(ID, 'commands other than skills', AS_SKILL),
  rule: {
    into: 'file',
    path: '.devin/rules/{name}.md',
    render: ruleText,
    modes: { always: 'native', glob: 'native', auto: 'native', explicit: 'native' },
  },
  hook: HOOK,
  mcp_server: { project: servers('.devin'), user: servers(CONFIG), ...FORM },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: atHome(CONFIG),
  user_on: { darwin: atHome(CONFIG), win32: atHome(ROAMING) },
});

const TOOLS = new Set(['read', 'edit', 'grep', 'glob', 'exec']);

function otherToolNames({ skill }: Artifact): string | undefined {
  const value = skill?.values['allowed-tools'];
  const names = Array.isArray(value)
    ? value
    : (typeof value === 'string' ? value : '').split(/[\s,]+(?![^(]*\))/);
  const unknown = names
    .map(String)
    .filter((name) => name !== '' && !TOOLS.has(name) && !name.startsWith('mcp__'));
  return unknown.length === 0
    ? undefined
    : `Devin knows its tools as ${[...TOOLS].join(', ')}, so \`allowed-tools\` has no effect on ${unknown.join(', ')}`;
}

function readRule(document: ProductDocument): Reading {
  const { globs } = document.values;
  if (!Array.isArray(globs)) return readTriggeredRule(document);
  const values = { ...document.values, globs: (namesIn(globs) ?? []).join(',') };
  return readTriggeredRule({ ...document, values });
}

function ruleText(artifact: Artifact): string {
  return projectDocument(artifact, RULE_KEYS[artifact.fields.rule_mode ?? 'always'](artifact));
}

const RULE_KEYS: Readonly<Record<RuleMode, (artifact: Artifact) => ProjectedKey[]>> = {
  always: () => [['trigger', 'always_on']],
  // The command line tool does not load a rule with all patterns in one string.
  glob: ({ fields }) => [
    ['trigger', 'glob'],
    ['globs', splitGlobs(fields.rule_globs ?? '')],
  ],
  auto: ({ fields, description }) => [
    ['trigger', 'model_decision'],
    ['description', fields.rule_description ?? description],
  ],
  explicit: () => [['trigger', 'manual']],
};
