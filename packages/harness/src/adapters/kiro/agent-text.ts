import type { Artifact } from '@catalog/core/artifact/types';
import type { Untranslatable } from '../../adapter.ts';
import { fullModelName, listedTools } from '../../place/agent-keys.ts';
import { agentServers } from '../../place/agent-servers.ts';
import { modelsOf, type SupportedKeys } from '../../place/authored-keys.ts';
import { withoutDescription } from '../../place/needs-description.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';
import { allowedTools } from '../../place/tool-policy.ts';
import { serverEntry } from './server-entry.ts';

/** Categories of tools. Read back, a category becomes its first tool. */
export const TOOLS: ReadonlyMap<string, string> = new Map([
  ['Read', 'read'],
  ['LS', 'read'],
  ['Grep', 'read'],
  ['Glob', 'read'],
  ['Write', 'write'],
  ['Edit', 'write'],
  ['MultiEdit', 'write'],
  ['NotebookEdit', 'write'],
  ['Bash', 'shell'],
  ['WebFetch', 'web'],
  ['WebSearch', 'web'],
  ['Task', 'subagent'],
  ['Agent', 'subagent'],
]);

const NATIVE: ReadonlySet<string> = new Set([...TOOLS.values(), 'context', '*']);

/** Tools that grant a whole category: an agent that can write a file can also edit it. */
const WHOLE: ReadonlySet<string> = new Set(['Read', 'Write', 'Bash', 'WebFetch', 'Task', 'Agent']);

const SERVER_TOOL = /^mcp__([\w.-]+?)(?:__([\w.-]+|\*))?$/;

function toolName(tool: string): string | undefined {
  if (NATIVE.has(tool) || tool.startsWith('@')) return tool;
  if (tool === 'mcp__*') return '@mcp';
  const [, server, name = '*'] = SERVER_TOOL.exec(tool) ?? [];
  if (server === undefined) return TOOLS.get(tool);
  return name === '*' ? `@${server}` : `@${server}/${name}`;
}

export const AGENT_KEYS: SupportedKeys = {
  ...listedTools(describeToolLoss),
  model: modelsOf(fullModelName),
};

function describeToolLoss(artifact: Artifact): string | undefined {
  const tools = allowedTools(artifact) ?? [];
  const missing = tools.filter((tool) => toolName(tool) === undefined);
  if (missing.length > 0) {
    return `the harness does not support ${missing.join(', ')}, so the agent cannot use it`;
  }
  const opened = new Set(tools.filter((tool) => WHOLE.has(tool)).map(toolName));
  const widened = tools.filter((tool) => TOOLS.has(tool) && !opened.has(toolName(tool)));
  if (widened.length === 0) return undefined;
  const categories = [...new Set(widened.map(toolName))];
  return `Kiro allows tools by category, so ${widened.join(', ')} opens all of ${categories.join(', ')}`;
}

/** Renders an agent. Its path is its name, and `tools` is required for any tool. */
export function agentText(artifact: Artifact): string | Untranslatable {
  const refusal = withoutDescription(artifact, 'Kiro');
  if (refusal !== undefined) return refusal;
  const brought = agentServers(artifact, { entry: serverEntry });
  if ('untranslatable' in brought) return brought;
  const tools = allowedTools(artifact)?.flatMap((tool) => toolName(tool) ?? []);
  return projectDocument(artifact, [
    ['description', artifact.description],
    ['model', fullModelName(artifact)],
    ['tools', tools === undefined ? ['*'] : [...new Set(tools)]],
    ['mcpServers', brought.servers],
  ]);
}
