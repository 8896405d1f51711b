import type { Artifact } from '@catalog/core/artifact/types';
import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import { fullModelName, listedTools, toolsOf } from '../../place/agent-keys.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { modelsOf } from '../../place/authored-keys.ts';
import { notWritten } from '../../place/unsupported-feature.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';
import { refusesSecrets } from '../../place/refuses-secrets.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import type { AdoptReaders, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { canonicalTools, given } from '../../adopt/agent-keys-back.ts';
import { claudeMarketplace } from '../claude-code/marketplace.ts';
import { agentText, TOOLS } from './agent-text.ts';

const junieReaders: AdoptReaders = {
  agent: readAgent,
  prose: ['.junie/AGENTS.md', '.junie/guidelines.md'],
};

function readAgent({ values, body }: ProductDocument): Reading {
  const { name: _name, tools, reasoningLevel, effort, ...kept } = values;
  const changes: string[] = [];
  // `effort` is an alias and has precedence.
  const level = effort ?? reasoningLevel;
  if (level !== undefined) changes.push('reasoningLevel is effort_hint');
  return {
    values: { ...kept, ...given('effort_hint', level), ...canonicalTools(tools, TOOLS, changes) },
    body,
    changes,
  };
}

const ID = 'junie';

const SERVERS: McpConfigFile = {
  path: '.junie/mcp/mcp.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

function commandText(artifact: Artifact): string {
  return projectDocument(artifact, [['description', artifact.description]]);
}

/**
 * Adapter for Junie, which reads only the first guidelines file: a `.junie/AGENTS.md` would hide the user's AGENTS.md,
 * so rules go there. In the home folder, only the rules file differs.
 */
export const junie = defineHarness({
  id: ID,
  summary: 'JetBrains Junie: .junie/, AGENTS.md',
  revision: 2,
  detect: ['.junie'],
  adopt: junieReaders,
  marketplace: claudeMarketplace,
  skill: { folders: ['.junie/skills'], derive_compatibility: true },
  agent: {
    path: '.junie/agents/{name}.md',
    render: agentText,
    takes: {
      ...listedTools(toolsOf(TOOLS)),
      model: modelsOf(fullModelName),
      effort_hint: 'converted',
    },
  },
  command: {
    path: '.junie/commands/{name}.md',
    render: commandText,
    // Arguments are passed as `arguments="..."`.
    arguments: { all: '$arguments' },
  },
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes(ID, 'AGENTS.md') },
  // Only early versions have hooks, and they ignore those of a project.
  hook: notWritten(ID, 'hooks', 'write it in ~/.junie/config.json'),
  mcp_server: {
    project: SERVERS,
    user: SERVERS,
    entry: mcpEntry({ secret: (name) => name, type: () => undefined }),
    refuses: refusesSecrets(ID),
  },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    rule: { into: 'block', path: '.junie/AGENTS.md', modes: alwaysLoadedModes(ID, 'AGENTS.md') },
  },
});
