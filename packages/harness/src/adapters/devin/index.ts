import type { Artifact } from '@catalog/core/artifact/types';
import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { HookEntryLanding, Landings } from '../../landing.ts';
import { timedGroupedHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { AS_SKILL, noLanding, notWritten } from '../../place/no-landing.ts';
import { refusesSecrets } from '../../place/refuses-secrets.ts';
import { loadedAlways } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { devinHooks } from './hook-shim.ts';
import { hookEvents } from './hook-events.ts';
import { ruleText } from './rule-text.ts';
import type { ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { namesIn } from '../../adopt/agent-keys-back.ts';
import { readTriggeredRule } from '../antigravity/read-rule.ts';

const ID = 'devin';

function servers(folder: string): McpConfigFile {
  return { path: `${folder}/mcp_config.json`, container: ['mcpServers'], recorded: 'lock' };
}

const FORM = {
  entry: mcpEntry({ secret: (name) => name, type: () => undefined }),
  limits: { denied: ['disabledTools'] },
  refuses: refusesSecrets(ID),
};

/** In a project the events are the whole file. */
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

/** What lands in the folder of the user's configuration. */
function atHome(folder: string): Partial<Landings> {
  return {
    skill: {
      folders: [`${folder}/skills`, '.agents/skills'],
      derive_compatibility: true,
      warn: otherToolNames,
    },
    rule: { into: 'block', path: `${folder}/AGENTS.md`, modes: loadedAlways(ID, 'AGENTS.md') },
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

/** Devin Desktop, formerly Windsurf, and the command line of Devin. */
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
  // Its documentation calls the format of custom subagents experimental.
  agent: notWritten(ID, 'agents', AS_SKILL),
  command: noLanding(ID, 'commands other than skills', AS_SKILL),
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

/** The tools that `allowed-tools` of a skill can name. */
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

/** Reads a rule whose `globs` may be a list. */
function readRule(document: ProductDocument): Reading {
  const { globs } = document.values;
  if (!Array.isArray(globs)) return readTriggeredRule(document);
  const values = { ...document.values, globs: (namesIn(globs) ?? []).join(',') };
  return readTriggeredRule({ ...document, values });
}
