import type { McpConfig } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { mcpServerEntry } from './mcp-server-entry.ts';

/** The product rejects unknown keys, so entries have no mark. */
const SERVERS = {
  project: { path: 'opencode.json', container: ['mcp'], recorded: 'lock' },
  user: { path: '.config/harness-e/opencode.json', container: ['mcp'], recorded: 'lock' },
  entry: mcpServerEntry,
} satisfies McpConfig;

/** Adapter for an open-source coding agent. Rules go to AGENTS.md, which it reads first (HE-09). */
export const harnessE = defineHarness({
  id: 'harness-e',
  summary: 'open terminal coding agent: .harness-e/, AGENTS.md, opencode.json',
  revision: 1,
  detect: ['.harness-e'],
  marketplace: { refused: 'it installs from a package registry only' },
  skill: { folders: ['.harness-e/skills'] },
  agent: { path: '.harness-e/agents/{name}.md' },
  command: { path: '.harness-e/commands/{name}.md' },
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes('harness-e', 'AGENTS.md') },
  hook: { refused: 'it has no hooks in files; leave harness-e out with target_harnesses' },
  mcp_server: SERVERS,
  fields: 'native',
  user: { mcp_server: { ...SERVERS, project: SERVERS.user } },
});
