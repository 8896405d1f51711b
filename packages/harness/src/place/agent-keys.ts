import type { Artifact } from '@catalog/core/artifact/types';
import type { KeySupport } from './narrowing-keys.ts';
import { authoredNames, authoredText, authoredValue } from './project-frontmatter.ts';

/**
 * The author's `tools` by the names a product has for them. A tool it has no name for is left out, and
 * so is one narrowed to some commands, `Bash(git *)`, which the product would widen to all: an agent
 * gets fewer tools rather than more. Undefined where the author names none.
 */
export function mappedTools(
  artifact: Artifact,
  names: ReadonlyMap<string, string>,
): string[] | undefined {
  const tools = authoredNames(artifact, 'tools');
  if (tools === undefined) return undefined;
  return [...new Set(tools.flatMap((tool) => names.get(tool) ?? []))];
}

/** For a product that has names for some tools: an agent does without the others. */
export function toolsOf(names: { has(tool: string): boolean }): KeySupport {
  return (artifact) => {
    const missing = (authoredNames(artifact, 'tools') ?? []).filter((tool) => !names.has(tool));
    return missing.length === 0
      ? undefined
      : `there is no equivalent of ${missing.join(', ')}, so the agent does without`;
  };
}

/** Tools that change nothing. */
const READING = new Set(['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch', 'TodoWrite']);

/** Whether an agent is to change nothing, for products that have no list of tools. */
export function readsOnly(artifact: Artifact): boolean {
  if (authoredValue(artifact, 'readonly') === true) return true;
  const tools = authoredNames(artifact, 'tools');
  return tools !== undefined && tools.length > 0 && tools.every((tool) => READING.has(tool));
}

/** What such a product makes of a list of tools. */
export function withoutToolList(artifact: Artifact): string {
  return readsOnly(artifact)
    ? 'there is no list of tools, so the agent may only read, but with every tool of the session'
    : 'there is no list of tools, so the agent may use every tool of the session';
}

/** Short names that one product has for its models and no other knows. */
const SHORT_NAMES = new Set(['haiku', 'sonnet', 'opus', 'inherit']);

/** The author's `model` where it is the full name of one. */
export function fullModelName(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model');
  return model === undefined || SHORT_NAMES.has(model) ? undefined : model;
}
