import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext, Untranslatable } from '../../adapter.ts';
import type { McpServer } from '@catalog/core/artifact/mcp-server';
import type { JsonObject } from '@catalog/core/json';
import { fullModelName, listedTools, mappedTools, toolsOf } from '../../place/agent-keys.ts';
import { agentServers } from '../../place/agent-servers.ts';
import { modelsOf, type SupportedKeys } from '../../place/authored-keys.ts';
import { mcpServerEntry } from './mcp-servers.ts';
import { withoutDescription } from '../../place/needs-description.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';
import { allowedTools } from '../../place/tool-policy.ts';

export const TOOLS: ReadonlyMap<string, string> = new Map([
  ['Read', 'read'],
  ['LS', 'read'],
  ['Grep', 'search'],
  ['Glob', 'search'],
  ['Write', 'edit'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Bash', 'execute'],
  ['Task', 'agent'],
  ['Agent', 'agent'],
  ['WebSearch', 'web'],
  ['WebFetch', 'web'],
  ['TodoWrite', 'todo'],
]);

const MCP_TOOL = /^mcp__(.+?)(?:__(.+))?$/;

function serverTool(tool: string): string | undefined {
  const [, server, name = '*'] = MCP_TOOL.exec(tool) ?? [];
  return server === undefined ? undefined : `${server}/${name}`;
}

function toolsOfAgent(artifact: Artifact): string[] | undefined {
  const mapped = mappedTools(artifact, TOOLS);
  const of = (allowedTools(artifact) ?? []).flatMap((tool) => serverTool(tool) ?? []);
  return mapped === undefined ? undefined : [...new Set([...mapped, ...of])];
}

export const AGENT_KEYS: SupportedKeys = {
  ...listedTools(toolsOf({ has: (tool) => TOOLS.has(tool) || serverTool(tool) !== undefined })),
  model: modelsOf(fullModelName),
};

/** Converts a server of an agent. Copilot offers only the tools that the server lists. */
function serverEntry(server: McpServer): JsonObject {
  return { ...mcpServerEntry(server), tools: ['*'] };
}

/** Renders an agent. Without `include-custom-instructions`, the instructions of the repository would not apply. */
export function agentText(artifact: Artifact, { name }: PlaceContext): string | Untranslatable {
  const refusal = withoutDescription(artifact, 'Copilot');
  if (refusal !== undefined) return refusal;
  const brought = agentServers(artifact, { entry: serverEntry });
  if ('untranslatable' in brought) return brought;
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
    ['tools', toolsOfAgent(artifact)],
    ['model', fullModelName(artifact)],
    ['mcp-servers', brought.servers],
    ['include-custom-instructions', true],
  ]);
}
