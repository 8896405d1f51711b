import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext, Untranslatable } from '../../adapter.ts';
import { readMcpServer } from '@catalog/core/artifact/mcp-server';
import { fullModelName, mappedTools } from '../../place/agent-keys.ts';
import { agentServers } from '../../place/agent-servers.ts';
import { valuesOf, type SupportedKeys } from '../../place/authored-keys.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { withoutDescription } from '../../place/needs-description.ts';
import {
  authoredTurns,
  authoredValue,
  projectDocument,
  type ProjectedKey,
} from '../../place/project-frontmatter.ts';
import { secretsOf } from '../../place/secrets-of.ts';
import { deniedTools } from '../../place/tool-policy.ts';

type AgentServer = NonNullable<Artifact['fields']['mcpServers']>[number];

export const TOOLS: ReadonlyMap<string, string> = new Map([
  ['Read', 'read_file'],
  ['LS', 'list_directory'],
  ['Grep', 'grep_search'],
  ['Glob', 'glob'],
  ['Write', 'write_file'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['Bash', 'run_shell_command'],
  ['WebFetch', 'web_fetch'],
  ['TodoWrite', 'todo_write'],
]);

const NO_TOOLS =
  'Qwen Code takes an empty list of tools for all there are, and has none of those the agent names; name one it has, or leave qwen out with target_harnesses';

export function agentText(artifact: Artifact, { name }: PlaceContext): string | Untranslatable {
  const refusal = withoutDescription(artifact, 'Qwen Code');
  if (refusal !== undefined) return refusal;
  const tools = mappedTools(artifact, TOOLS);
  if (tools?.length === 0) return { untranslatable: NO_TOOLS };
  const denied = new Set(deniedNames(artifact).flatMap(([, name]) => name ?? []));
  const brought = agentServers(withoutSecrets(artifact), { entry: mcpServerEntry });
  if ('untranslatable' in brought) return brought;
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
    ['model', fullModelName(artifact)],
    ['tools', tools],
    ['disallowedTools', denied.size === 0 ? undefined : [...denied]],
    ...MODES.map((key): ProjectedKey => [key, planMode(artifact, key)]),
    ['maxTurns', authoredTurns(artifact)],
    ['mcpServers', brought.servers],
  ]);
}

const MODES = ['permissionMode', 'approvalMode'] as const;

/** Returns `plan`, the only mode that cannot loosen that of the session. */
function planMode(artifact: Artifact, key: (typeof MODES)[number]): string | undefined {
  return authoredValue(artifact, key) === 'plan' ? 'plan' : undefined;
}

export const MODE_KEYS: SupportedKeys = Object.fromEntries(
  MODES.map((key) => [key, valuesOf('agent', key, (artifact) => planMode(artifact, key))]),
);

export const mcpServerEntry = mcpEntry({
  secret: (name) => `\${${name}}`,
  type: () => undefined,
  url: ({ transport }) => (transport === 'sse' ? 'url' : 'httpUrl'),
});

/** Removes secrets: Qwen Code expands environment variables only in its settings. */
function withoutSecrets(artifact: Artifact): Artifact {
  const { mcpServers = [] } = artifact.fields;
  const kept = mcpServers.filter((server) => !needsSecret(server));
  return { ...artifact, fields: { ...artifact.fields, mcpServers: kept } };
}

function needsSecret({ name: _name, ...field }: AgentServer): boolean {
  const server = readMcpServer({ type: 'mcp-server', version: '', ...field });
  return server !== undefined && secretsOf(server).length > 0;
}

export function describeOmittedServers({ fields }: Artifact): string | undefined {
  const names = (fields.mcpServers ?? []).filter(needsSecret).map(({ name }) => name);
  return names.length === 0
    ? undefined
    : `Qwen Code has no secrets in the servers of an agent, so ${names.join(', ')} is not started; deliver it as a separate mcp-server artifact`;
}

function deniedNames(artifact: Artifact): [tool: string, name: string | undefined][] {
  return deniedTools(artifact).map((tool) => [
    tool,
    TOOLS.get(tool) ?? (tool.startsWith('mcp__') ? tool : undefined),
  ]);
}

export function describeDenialLoss(artifact: Artifact): string | undefined {
  const missing = deniedNames(artifact).filter(([, name]) => name === undefined);
  return missing.length === 0
    ? undefined
    : `the harness does not support ${missing.map(([tool]) => tool).join(', ')}, so the tool is not denied`;
}
