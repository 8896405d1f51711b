import type { Artifact, RuleMode } from '@catalog/core/artifact/types';
import { type JsonObject, isJsonObject, type Json } from '@catalog/core/json';
import type { McpConfig, McpConfigFile, Untranslatable } from '../../adapter.ts';
import { defineHarness, NO_EVENTS } from '../../define-harness.ts';
import type { HookEntryLanding, ReadyHook } from '../../landing.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { AS_SKILL, notWritten, onlyInWorkspace } from '../../place/unsupported-feature.ts';
import { projectDocument, type ProjectedKey } from '../../place/project-frontmatter.ts';
import { refusesSecrets } from '../../place/refuses-secrets.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { timedFlatHook, timedGroupedHook } from '../../place/hook-forms.ts';
import type { HookEventTable } from '../../hook-event-table.ts';
import { expandBraces, tooManyPatterns } from '../../place/expand-braces.ts';
import { splitGlobs } from '../../place/split-globs.ts';
import type { AdoptReaders } from '../../adopt/adopt-source.ts';
import { antigravityHooks } from './hook-shim.ts';
import { readTriggeredRule } from './read-rule.ts';

const antigravityReaders: AdoptReaders = {
  rule: readTriggeredRule,
  hook: { lists: hooksByEvent },
  server: ({ serverUrl, ...kept }) =>
    serverUrl === undefined ? kept : { url: serverUrl, ...kept },
};

/** Converts named hooks, `{name: {enabled, PreToolUse: [...], Stop: [...]}}`, to lists by event. */
function hooksByEvent(named: JsonObject): JsonObject {
  const lists: Record<string, Json[]> = Object.create(null);
  for (const hook of Object.values(named)) {
    if (!isJsonObject(hook)) continue;
    const { enabled, ...events } = hook;
    for (const [event, list] of Object.entries(events)) {
      const elements = Array.isArray(list) ? list : [];
      (lists[event] ??= []).push(
        ...elements.map((element) => (enabled === false ? switchedOff(element) : element)),
      );
    }
  }
  return lists;
}

/** Copies `enabled`, which applies to all hooks of a name, to each hook. */
function switchedOff(element: Json): Json {
  if (!isJsonObject(element)) return element;
  const { hooks } = element;
  return Array.isArray(hooks)
    ? { ...element, hooks: hooks.map(switchedOff) }
    : { ...element, enabled: false };
}

const ASKS_USER =
  'if the hook allows the tool, Antigravity asks the user unless the tool is always allowed, because it has no answer that leaves the decision as it was';
const UNSTOPPABLE = 'the hook is notified and cannot stop it';

const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  pre_tool_use: { event: 'PreToolUse', fallback: ASKS_USER },
  post_tool_use: { event: 'PostToolUse', fallback: UNSTOPPABLE },
  post_tool_use_failure: { event: 'PostToolUse', fallback: UNSTOPPABLE },
  pre_shell_execution: { event: 'PreToolUse', matcher: '^run_command$', fallback: ASKS_USER },
  post_shell_execution: {
    event: 'PostToolUse',
    matcher: '^run_command$',
    fallback: UNSTOPPABLE,
  },
  pre_read_file: { event: 'PreToolUse', matcher: '^view_file$', fallback: ASKS_USER },
  post_file_edit: {
    event: 'PostToolUse',
    matcher: '^(write_to_file|replace_file_content|multi_replace_file_content)$',
    fallback: UNSTOPPABLE,
  },
  stop: { event: 'Stop' },
};

const ID = 'antigravity';

const SERVERS: McpConfigFile = {
  path: '.agents/mcp_config.json',
  container: ['mcpServers'],
  recorded: 'lock',
};
const USER_SERVERS: McpConfigFile = { ...SERVERS, path: '.gemini/config/mcp_config.json' };

const FORM: Pick<McpConfig, 'entry' | 'limits' | 'refuses'> = {
  entry: mcpEntry({
    secret: (name) => name,
    type: () => undefined,
    url: () => 'serverUrl',
  }),
  limits: { denied: ['disabledTools'] },
  refuses: refusesSecrets(ID),
};

/** Every member of the file is a named hook, so the file cannot contain a mark. */
const HOOK: HookEntryLanding = {
  into: 'entry',
  path: '.agents/hooks.json',
  container: [],
  named: true,
  recorded: 'lock',
  events: hookEvents,
  without_event: 'refused',
  entry: hookEntry,
  shim: commandShim(antigravityHooks),
};

function workflowText(artifact: Artifact): string {
  return projectDocument(artifact, [['description', artifact.description]]);
}

/** Adapter for Google Antigravity: the editor, and the command line tool, which follows Gemini CLI. */
export const antigravity = defineHarness({
  id: ID,
  summary: 'Google Antigravity, IDE and CLI: .agents/',
  revision: 4,
  detect: [
    '.agents/rules',
    '.agents/workflows',
    '.agents/hooks.json',
    '.agents/mcp_config.json',
    '.agent',
  ],
  adopt: antigravityReaders,
  also_reads: [{ path: 'AGENTS.md' }],
  skill: { folders: ['.agents/skills'], derive_compatibility: true },
  agent: notWritten(ID, 'agents', AS_SKILL),
  command: { path: '.agents/workflows/{name}.md', render: workflowText, arguments: {} },
  rule: {
    into: 'file',
    path: '.agents/rules/{name}.md',
    render: ruleText,
    modes: { always: 'native', glob: 'native', auto: 'native', explicit: 'native' },
  },
  hook: HOOK,
  mcp_server: { project: SERVERS, user: USER_SERVERS, ...FORM },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    skill: { folders: ['.gemini/config/skills'], derive_compatibility: true },
    command: onlyInWorkspace(ID, 'workflows'),
    rule: {
      into: 'block',
      path: '.gemini/GEMINI.md',
      modes: alwaysLoadedModes('Antigravity', 'GEMINI.md'),
    },
    hook: {
      ...HOOK,
      path: '.gemini/config/hooks.json',
      shim: commandShim(antigravityHooks, 'home'),
    },
    mcp_server: { project: USER_SERVERS, user: USER_SERVERS, ...FORM },
  },
});

/** Events with groups and matchers; others list hooks directly. */
const GROUPED: ReadonlySet<string> = new Set(['PreToolUse', 'PostToolUse']);

const grouped = timedGroupedHook(1);

function hookEntry(hook: ReadyHook): JsonObject {
  const { matcher, ...native } = hook.native;
  if (!GROUPED.has(native.event)) return { type: 'command', ...timedFlatHook({ ...hook, native }) };
  return grouped({ ...hook, native: { ...native, matcher: matcher ?? '*' } });
}

function ruleText(artifact: Artifact): string | Untranslatable {
  const { rule_mode = 'always', rule_globs = '' } = artifact.fields;
  const globs = rule_mode === 'glob' ? expandBraces(splitGlobs(rule_globs)) : [];
  if (globs === undefined) return { untranslatable: tooManyPatterns('Antigravity') };
  return projectDocument(artifact, RULE_KEYS[rule_mode](artifact, globs));
}

const RULE_KEYS: Readonly<
  Record<RuleMode, (artifact: Artifact, globs: readonly string[]) => ProjectedKey[]>
> = {
  always: () => [['trigger', 'always_on']],
  // Antigravity splits patterns at every comma, even inside braces.
  glob: (_, globs) => [
    ['trigger', 'glob'],
    ['globs', globs.join(',')],
  ],
  auto: ({ fields, description }) => [
    ['trigger', 'model_decision'],
    ['description', fields.rule_description ?? description],
  ],
  explicit: () => [['trigger', 'manual']],
};
