import type { Artifact } from '@catalog/core/artifact/types';
import type { McpConfig, McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { HookEntryLanding } from '../../landing.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { AS_SKILL, notWritten, onlyInWorkspace } from '../../place/no-landing.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';
import { refusesSecrets } from '../../place/refuses-secrets.ts';
import { loadedAlways } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { antigravityHooks } from './hook-shim.ts';
import { hookEntry } from './hook-entry.ts';
import { hookEvents } from './hook-events.ts';
import { antigravityReaders } from './read-back.ts';
import { ruleText } from './rule-text.ts';

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

/** Every member of the file is a hook by its name, so nothing else can be in it. */
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

/** Google Antigravity: the editor, and the command line that follows Gemini CLI. */
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
      modes: loadedAlways('Antigravity', 'GEMINI.md'),
    },
    hook: {
      ...HOOK,
      path: '.gemini/config/hooks.json',
      shim: commandShim(antigravityHooks, 'home'),
    },
    mcp_server: { project: USER_SERVERS, user: USER_SERVERS, ...FORM },
  },
});
