import type { Artifact } from '@catalog/core/artifact/types';
import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { Fallback, ReadyHook } from '../../landing.ts';
import { fullModelName, toolsOf } from '../../place/agent-keys.ts';
import { SHIM_GRACE } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { modelsOf } from '../../place/narrowing-keys.ts';
import { onlyInWorkspace } from '../../place/no-landing.ts';
import { authoredText, projectDocument } from '../../place/project-frontmatter.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { copilotHooks } from '../../shim/products/copilot.ts';
import { copilotBudget } from './budget.ts';
import { agentText, TOOLS } from './agent-text.ts';
import { hookEvents } from './hook-events.ts';
import { instructionsText } from './instructions-text.ts';
import { copilotReaders } from './read-back.ts';

const ID = 'copilot';

const PROJECT: McpConfigFile = {
  path: '.github/mcp.json',
  container: ['mcpServers'],
  recorded: 'lock',
};
const USER: McpConfigFile = { ...PROJECT, path: '.copilot/mcp-config.json' };

const entry = mcpEntry({
  secret: (name) => `\${${name}}`,
  type: ({ kind, transport }) => (kind === 'local' ? 'stdio' : (transport ?? 'http')),
});

const BY_THE_EDITOR: Fallback = {
  fallback: 'VS Code has rules of this mode; the command line reads the rule always',
};

const AGENT = {
  render: agentText,
  takes: { tools: toolsOf(TOOLS), model: modelsOf(fullModelName) },
};

function promptText(artifact: Artifact): string {
  return projectDocument(artifact, [
    ['description', artifact.description],
    ['agent', authoredText(artifact, 'agent') ?? 'agent'],
    ['argument-hint', authoredText(artifact, 'argument-hint')],
  ]);
}

function hookText({ native, command, timeout }: ReadyHook): string {
  const entry = {
    type: 'command',
    bash: command,
    ...(timeout === undefined ? {} : { timeoutSec: timeout + SHIM_GRACE }),
  };
  return `${JSON.stringify({ version: 1, hooks: { [native.event]: [entry] } }, null, 2)}\n`;
}

/** GitHub Copilot, in VS Code and on the command line. */
export const copilot = defineHarness({
  id: ID,
  summary: 'GitHub Copilot: .github/',
  revision: 2,
  detect: ['.github/copilot-instructions.md', '.github/instructions', '.github/prompts'],
  adopt: copilotReaders,
  also_reads: [{ path: 'AGENTS.md' }],
  budget: copilotBudget,
  skill: {
    folders: ['.github/skills', '.claude/skills', '.agents/skills'],
    deduplicates: true,
    derive_compatibility: true,
  },
  agent: { path: '.github/agents/{name}.agent.md', ...AGENT },
  command: {
    path: '.github/prompts/{name}.prompt.md',
    render: promptText,
    arguments: { all: '${input:arguments}' },
  },
  rule: {
    into: 'file',
    path: '.github/instructions/{name}.instructions.md',
    render: instructionsText,
    modes: { always: 'native', glob: 'native', auto: BY_THE_EDITOR, explicit: BY_THE_EDITOR },
  },
  hook: {
    into: 'file',
    path: '.github/hooks/{name}.json',
    events: hookEvents,
    without_event: 'refused',
    render: hookText,
    shim: commandShim(copilotHooks),
  },
  mcp_server: { project: PROJECT, user: USER, entry },
  fields: UNREAD_FIELDS,
  user: {
    skill: { folders: ['.copilot/skills'], deduplicates: true, derive_compatibility: true },
    agent: { path: '.copilot/agents/{name}.agent.md', ...AGENT },
    command: onlyInWorkspace(ID, 'prompts'),
    rule: onlyInWorkspace(ID, 'rules'),
    hook: onlyInWorkspace(ID, 'hooks'),
    mcp_server: { project: USER, entry },
  },
});
