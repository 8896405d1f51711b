import type { Artifact } from '@catalog/core/artifact/types';
import { authoredNames, authoredText } from './project-frontmatter.ts';

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

/** Short names that one product has for its models and no other knows. */
const SHORT_NAMES = new Set(['haiku', 'sonnet', 'opus', 'inherit']);

/** The author's `model` where it is the full name of one. */
export function fullModelName(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model');
  return model === undefined || SHORT_NAMES.has(model) ? undefined : model;
}
