import type { McpServer } from '@catalog/core/artifact/mcp-server';
import type { Artifact } from '@catalog/core/artifact/types';
import type { McpConfigFile, PlaceContext } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { Fallback } from '../../landing.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { AS_SKILL, noLanding, notWritten } from '../../place/no-landing.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';
import { refusesSecrets } from '../../place/refuses-secrets.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { continueReaders } from './read-back.ts';
import { ruleText } from './rule-text.ts';

const ID = 'continue';

const SERVERS: McpConfigFile = {
  path: '.continue/mcpServers/mcp.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

const EDITOR_ONLY: Fallback = {
  fallback:
    'the extensions for editors have rules of this mode; the command line does not load the rule',
};

/** Without `invokable` a file in the folder of prompts is a rule as well. */
function promptText(artifact: Artifact, { name }: PlaceContext): string {
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
    ['invokable', true],
  ]);
}

function typeOf({ kind, transport }: McpServer): string | undefined {
  if (kind === 'local') return undefined;
  return transport === 'sse' ? 'sse' : 'http';
}

/** Continue, in editors and on the command line. In the home folder it reads the same paths. */
export const continueDev = defineHarness({
  id: ID,
  summary: 'Continue: .continue/',
  revision: 1,
  detect: ['.continue', '.continuerules'],
  adopt: continueReaders,
  also_reads: [{ path: 'AGENTS.md' }],
  skill: { folders: ['.continue/skills', '.claude/skills'], derive_compatibility: true },
  agent: notWritten(ID, 'agents', AS_SKILL),
  command: { path: '.continue/prompts/{name}.md', render: promptText, arguments: {} },
  rule: {
    into: 'file',
    path: '.continue/rules/{name}.md',
    render: ruleText,
    modes: { always: 'native', glob: EDITOR_ONLY, auto: EDITOR_ONLY, explicit: EDITOR_ONLY },
  },
  hook: noLanding(ID, 'hooks that run'),
  mcp_server: {
    project: SERVERS,
    user: SERVERS,
    entry: mcpEntry({ secret: (name) => name, type: typeOf }),
    refuses: refusesSecrets(ID),
  },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: { skill: { folders: ['.continue/skills'], derive_compatibility: true } },
});
