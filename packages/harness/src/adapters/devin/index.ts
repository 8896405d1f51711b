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
import { readRule } from './read-rule.ts';
import { ruleText } from './rule-text.ts';

const ID = 'devin';

function servers(folder: string): McpConfigFile {
  return { path: `${folder}/mcp_config.json`, container: ['mcpServers'], recorded: 'lock' };
}

const FORM = {
  entry: mcpEntry({ secret: (name) => name, type: () => undefined }),
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
    skill: { folders: [`${folder}/skills`, '.agents/skills'], derive_compatibility: true },
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
  revision: 1,
  detect: ['.devin', '.windsurf', '.windsurfrules'],
  adopt: { rule: readRule, prose: ['.windsurfrules'] },
  also_reads: [{ path: 'AGENTS.md' }, { path: '.claude/settings.json' }],
  skill: {
    folders: ['.devin/skills', '.agents/skills', '.windsurf/skills'],
    derive_compatibility: true,
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
