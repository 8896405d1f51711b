import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { AS_SKILL, unsupportedFeature } from '../../place/unsupported-feature.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';

const ID = 'warp';

const SERVERS: McpConfigFile = {
  path: '.warp/.mcp.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

/** Skill folders that Warp reads in a repository and in the home folder. */
const SKILL_FOLDERS = [
  '.agents/skills',
  '.warp/skills',
  '.claude/skills',
  '.codex/skills',
  '.cursor/skills',
  '.gemini/skills',
  '.copilot/skills',
  '.factory/skills',
  '.github/skills',
  '.opencode/skills',
  '.kiro/skills',
];

/**
 * Adapter for Warp. A `WARP.md` hides an `AGENTS.md` in the same folder, so rules go to `AGENTS.md`; in the home
 * folder, Warp reads `.agents/AGENTS.md`.
 */
export const warp = defineHarness({
  id: ID,
  summary: 'Warp: AGENTS.md, .agents/skills, .warp/.mcp.json',
  revision: 1,
  detect: ['.warp', 'WARP.md'],
  adopt: { prose: ['WARP.md'] },
  skill: { folders: SKILL_FOLDERS, deduplicates: 'by_content', derive_compatibility: true },
  agent: unsupportedFeature(ID, 'agents in files', AS_SKILL),
  command: unsupportedFeature(ID, 'commands in files', AS_SKILL),
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes(ID, 'AGENTS.md') },
  hook: unsupportedFeature(ID, 'hooks'),
  mcp_server: {
    project: SERVERS,
    user: SERVERS,
    entry: mcpEntry({ secret: (name) => `\${${name}}`, type: () => undefined }),
  },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    rule: { into: 'block', path: '.agents/AGENTS.md', modes: alwaysLoadedModes(ID, 'AGENTS.md') },
  },
});
