import { defineHarness } from '../../define-harness.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { AS_SKILL, unsupportedFeature, onlyInWorkspace } from '../../place/unsupported-feature.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { refusesSecrets } from '../../place/refuses-secrets.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';

const ID = 'zed';

const SERVERS = { container: ['context_servers'], recorded: 'lock' } as const;
const PROJECT = { ...SERVERS, path: '.zed/settings.json' };
const USER = { ...SERVERS, path: '.config/zed/settings.json' };
const FORM = {
  entry: mcpEntry({ secret: (name) => name, type: () => undefined }),
  refuses: refusesSecrets(ID),
};

/**
 * Adapter for Zed, which reads only the first rules file: a `.rules` would hide the user's AGENTS.md, so rules go
 * there.
 */
export const zed = defineHarness({
  id: ID,
  summary: 'Zed: AGENTS.md, .agents/skills, .zed/settings.json',
  revision: 2,
  detect: ['.zed', '.rules'],
  adopt: { prose: ['.rules'] },
  skill: { folders: ['.agents/skills'], derive_compatibility: true },
  agent: unsupportedFeature(ID, 'agents in files', AS_SKILL),
  command: unsupportedFeature(ID, 'commands in files', AS_SKILL),
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes(ID, 'AGENTS.md') },
  hook: unsupportedFeature(ID, 'hooks'),
  mcp_server: { project: PROJECT, user: USER, ...FORM },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    rule: onlyInWorkspace(ID, 'rules'),
    mcp_server: { project: USER, ...FORM },
  },
});
