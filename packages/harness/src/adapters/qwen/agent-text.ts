import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext, Untranslatable } from '../../adapter.ts';
import { fullModelName, mappedTools } from '../../place/agent-keys.ts';
import { withoutDescription } from '../../place/needs-description.ts';
import { authoredTurns, projectDocument } from '../../place/project-frontmatter.ts';
import { deniedTools } from '../../place/tool-policy.ts';

/** Qwen Code's names for the tools an author may name. */
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

/** An agent with the keys Qwen Code knows. */
export function agentText(artifact: Artifact, { name }: PlaceContext): string | Untranslatable {
  const refusal = withoutDescription(artifact, 'Qwen Code');
  if (refusal !== undefined) return refusal;
  const tools = mappedTools(artifact, TOOLS);
  if (tools?.length === 0) return { untranslatable: NO_TOOLS };
  const denied = deniedNames(artifact).flatMap(([, name]) => name ?? []);
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
    ['model', fullModelName(artifact)],
    ['tools', tools],
    ['disallowedTools', denied.length === 0 ? undefined : denied],
    ['maxTurns', authoredTurns(artifact)],
  ]);
}

/** The tools an agent must not use, with their names here. */
function deniedNames(artifact: Artifact): [tool: string, name: string | undefined][] {
  return deniedTools(artifact).map((tool) => [
    tool,
    TOOLS.get(tool) ?? (tool.startsWith('mcp__') ? tool : undefined),
  ]);
}

/** Reports denied tools that Qwen Code has no name for. */
export function deniedTaken(artifact: Artifact): string | undefined {
  const missing = deniedNames(artifact).filter(([, name]) => name === undefined);
  return missing.length === 0
    ? undefined
    : `the harness does not support ${missing.map(([tool]) => tool).join(', ')}, so the tool is not denied`;
}
