import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { Fallback } from '../../landing.ts';
import { proseAsWholeFile } from '../../place/document-text.ts';
import type { McpServer } from '@catalog/core/artifact/mcp-server';
import type { Artifact } from '@catalog/core/artifact/types';
import { mcpEntry } from '../../place/mcp-server.ts';
import {
  AS_SKILL,
  notWritten,
  onlyInWorkspace,
  onlyUserScope,
} from '../../place/unsupported-feature.ts';
import { refusesSecrets } from '../../place/refuses-secrets.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';
import { splitGlobs } from '../../place/split-globs.ts';
import { HOOK } from './hook-files.ts';
import { readRule } from '../harness-a/read-rule.ts';

const ID = 'cline';

const LOADED_ALWAYS: Fallback = {
  fallback: 'cline has no rules of this mode, so the rule is loaded always',
};
const SERVERS: McpConfigFile = {
  path: '.cline/data/settings/cline_mcp_settings.json',
  container: ['mcpServers'],
  recorded: 'lock',
};
const FORM = {
  entry: mcpEntry({ secret: (name) => name, type: typeOf }),
  refuses: refusesSecrets(ID),
};

/** Returns the type of a server. Cline treats a URL without one as the older transport. */
function typeOf({ kind, transport }: McpServer): string | undefined {
  if (kind === 'local') return undefined;
  return transport === 'sse' ? 'sse' : 'streamableHttp';
}

export const cline = defineHarness({
  id: ID,
  summary: 'Cline: .clinerules/, .cline/skills',
  revision: 4,
  detect: ['.clinerules', '.cline'],
  adopt: { rule: readRule },
  also_reads: [{ path: 'AGENTS.md' }],
  skill: { folders: ['.cline/skills'], derive_compatibility: true },
  agent: notWritten(ID, 'agents', AS_SKILL),
  command: { path: '.clinerules/workflows/{name}.md', render: proseAsWholeFile, arguments: {} },
  rule: {
    into: 'file',
    path: '.clinerules/{name}.md',
    render: ruleText,
    modes: { always: 'native', glob: 'native', auto: LOADED_ALWAYS, explicit: LOADED_ALWAYS },
  },
  hook: HOOK,
  mcp_server: onlyUserScope(ID, 'MCP servers'),
  mcp_config: { user: SERVERS, ...FORM },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    hook: onlyInWorkspace(ID, 'hooks'),
    command: onlyInWorkspace(ID, 'workflows'),
    rule: onlyInWorkspace(ID, 'rules'),
    mcp_server: { project: SERVERS, ...FORM },
  },
});

/** Renders a rule. Without patterns there is no frontmatter, so that Cline always loads it. */
function ruleText(artifact: Artifact): string {
  const { rule_mode, rule_globs = '' } = artifact.fields;
  if (rule_mode !== 'glob') return proseAsWholeFile(artifact);
  return projectDocument(artifact, [['paths', splitGlobs(rule_globs)]]);
}
