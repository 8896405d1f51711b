import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import { proseAlone } from '../../place/document-text.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { AS_SKILL, notWritten } from '../../place/no-landing.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { steeringText } from './steering-text.ts';
import { readSteering } from './read-steering.ts';

const ID = 'kiro';

const SERVERS: McpConfigFile = {
  path: '.kiro/settings/mcp.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

/** Kiro, the IDE and the command line. In the home folder it reads the same paths. */
export const kiro = defineHarness({
  id: ID,
  summary: 'Kiro: .kiro/',
  revision: 1,
  detect: ['.kiro'],
  adopt: { rule: readSteering, prose: ['AGENTS.md'] },
  also_reads: [{ path: 'AGENTS.md' }],
  skill: { folders: ['.kiro/skills'], derive_compatibility: true },
  // The IDE and the command line each have agents in a form of their own.
  agent: notWritten(ID, 'agents', AS_SKILL),
  command: { path: '.kiro/prompts/{name}.md', render: proseAlone, arguments: {} },
  rule: {
    into: 'file',
    path: '.kiro/steering/{name}.md',
    render: steeringText,
    modes: { always: 'native', glob: 'native', auto: 'native', explicit: 'native' },
  },
  // What a command is given, and whether it can stop anything, is not published.
  hook: notWritten(ID, 'hooks', 'write it in .kiro/hooks'),
  mcp_server: {
    project: SERVERS,
    user: SERVERS,
    entry: mcpEntry({ secret: (name) => `\${${name}}`, type: () => undefined }),
  },
  fields: UNREAD_FIELDS,
});
