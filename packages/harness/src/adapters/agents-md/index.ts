import { defineHarness } from '../../define-harness.ts';
import { AS_SKILL, unsupportedFeature, onlyInWorkspace } from '../../place/unsupported-feature.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';

const ID = 'agents-md';

/** Neutral adapter for the workspace files that most products read. */
export const agentsMd = defineHarness({
  id: ID,
  summary: 'any agent that reads AGENTS.md and .agents/skills',
  revision: 2,
  detect: [],
  skill: { folders: ['.agents/skills'], derive_compatibility: true },
  agent: unsupportedFeature(ID, 'agents', AS_SKILL),
  command: unsupportedFeature(ID, 'commands', AS_SKILL),
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes(ID, 'AGENTS.md') },
  hook: unsupportedFeature(ID, 'hooks', 'choose a harness that can run it'),
  mcp_server: unsupportedFeature(ID, 'file of MCP servers', 'choose a harness that can run it'),
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: { rule: onlyInWorkspace(ID, 'rules') },
});
