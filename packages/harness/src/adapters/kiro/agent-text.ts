import type { Artifact } from '@catalog/core/artifact/types';
import type { Untranslatable } from '../../adapter.ts';
import { fullModelName, listedTools } from '../../place/agent-keys.ts';
import { agentServers } from '../../place/agent-servers.ts';
import { modelsOf, type TakenKeys } from '../../place/authored-keys.ts';
import { withoutDescription } from '../../place/needs-description.ts';
import { projectDocument } from '../../place/project-frontmatter.ts';
import { allowedTools } from '../../place/tool-policy.ts';
import { serverEntry } from './server-entry.ts';

/** Kiro names categories of tools; the first tool of each stands for the whole category. */
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

/** Categories that no tool of an author has. */
const NATIVE: ReadonlySet<string> = new Set([...TOOLS.values(), 'context', '*']);

/** Tools that open a whole category by themselves: an agent that may write a file may edit it, too. */
const WHOLE: ReadonlySet<string> = new Set(['Read', 'Write', 'Bash', 'WebFetch', 'Task', 'Agent']);

/** `mcp__server__tool`, or `mcp__server` for all its tools. */
const SERVER_TOOL = /^mcp__([\w.-]+?)(?:__([\w.-]+|\*))?$/;

/** The category or server tool that a tool becomes; undefined if there is none. */
function toolName(tool: string): string | undefined {
  if (NATIVE.has(tool) || tool.startsWith('@')) return tool;
  if (tool === 'mcp__*') return '@mcp';
  const [, server, name = '*'] = SERVER_TOOL.exec(tool) ?? [];
  if (server === undefined) return TOOLS.get(tool);
  return name === '*' ? `@${server}` : `@${server}/${name}`;
}

/** The keys of an author that come to something in an agent. */
export const AGENT_KEYS: TakenKeys = {
  ...listedTools(toolsTaken),
  model: modelsOf(fullModelName),
};

function toolsTaken(artifact: Artifact): string | undefined {
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

/** An agent with the keys Kiro knows. Its name is the path, and without a list it may have no tools. */
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
