import type { Artifact } from '@catalog/core/artifact/types';
import { defineHarness } from '../../define-harness.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { AS_SKILL, notWritten, onlyInWorkspace } from '../../place/no-landing.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';
import { refusesSecrets } from '../../place/refuses-secrets.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { ruleText } from './rule-text.ts';
import { readTriggeredRule } from './read-rule.ts';

const ID = 'antigravity';

function workflowText(artifact: Artifact): string {
  return projectDocument(artifact, [['description', artifact.description]]);
}

/** Google Antigravity. */
export const antigravity = defineHarness({
  id: ID,
  summary: 'Google Antigravity: .agents/',
  revision: 1,
  detect: ['.agents/rules', '.agents/workflows', '.agent'],
  adopt: { rule: readTriggeredRule },
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
  hook: notWritten(ID, 'hooks', 'write it in .agents/hooks.json'),
  mcp_server: {
    project: { path: '.agents/mcp_config.json', container: ['mcpServers'], recorded: 'lock' },
    entry: mcpEntry({
      secret: (name) => name,
      type: () => undefined,
      url: () => 'serverUrl',
    }),
    refuses: refusesSecrets(ID),
  },
  fields: UNREAD_FIELDS,
  user: {
    skill: onlyInWorkspace(ID, 'skills'),
    command: onlyInWorkspace(ID, 'workflows'),
    rule: onlyInWorkspace(ID, 'rules'),
    mcp_server: onlyInWorkspace(ID, 'MCP servers'),
  },
});
