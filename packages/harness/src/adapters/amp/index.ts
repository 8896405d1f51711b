import { defineHarness } from '../../define-harness.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { AS_SKILL, unsupportedFeature, notWritten } from '../../place/unsupported-feature.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';

const ID = 'amp';

/** The dot belongs to the key; it does not separate two keys. */
const SERVERS = { container: ['amp.mcpServers'], recorded: 'lock' } as const;
const PROJECT = { ...SERVERS, path: '.amp/settings.json' };
const USER = { ...SERVERS, path: '.config/amp/settings.json' };
const entry = mcpEntry({ secret: (name) => `\${${name}}`, type: () => undefined });

export const amp = defineHarness({
  id: ID,
  summary: 'Amp: AGENTS.md, .agents/skills, .amp/settings.json',
  revision: 2,
  detect: ['.amp'],
  skill: { folders: ['.agents/skills', '.claude/skills'], derive_compatibility: true },
  agent: unsupportedFeature(ID, 'agents in files', AS_SKILL),
  command: unsupportedFeature(ID, 'commands in files', AS_SKILL),
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes(ID, 'AGENTS.md') },
  hook: notWritten(ID, 'the plugins its hooks are', 'write one in .amp/plugins'),
  mcp_server: { project: PROJECT, user: USER, entry },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    skill: {
      folders: ['.config/agents/skills', '.agents/skills', '.claude/skills'],
      derive_compatibility: true,
    },
    rule: {
      into: 'block',
      path: '.config/amp/AGENTS.md',
      modes: alwaysLoadedModes(ID, 'AGENTS.md'),
    },
    mcp_server: { project: USER, entry },
  },
});
