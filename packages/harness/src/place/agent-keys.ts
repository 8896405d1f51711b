import type { Artifact } from '@catalog/core/artifact/types';
import { isJsonObject } from '@catalog/core/json';
import type { KeySupport, TakenKeys } from './authored-keys.ts';
import { authoredText, authoredValue } from './project-frontmatter.ts';
import { allowedTools, deniedTools, toolPolicy } from './tool-policy.ts';

/**
 * The author's `tools` by the names a product has for them. A tool it has no name for is left out, and
 * so is one narrowed to some commands, `Bash(git *)`, which the product would widen to all: an agent
 * gets fewer tools rather than more. Undefined where the author names none.
 */
export function mappedTools(
  artifact: Artifact,
  names: ReadonlyMap<string, string>,
): string[] | undefined {
  const tools = allowedTools(artifact);
  if (tools === undefined) return undefined;
  return [...new Set(tools.flatMap((tool) => names.get(tool) ?? []))];
}

/** For a product that has names for some tools: an agent does without the others. */
export function toolsOf(names: {
  has(tool: string): boolean;
}): (artifact: Artifact) => string | undefined {
  return (artifact) => {
    const missing = (allowedTools(artifact) ?? []).filter((tool) => !names.has(tool));
    return missing.length === 0
      ? undefined
      : `the harness does not support ${missing.join(', ')}, so the agent cannot use it`;
  };
}

/** Tools that change nothing. */
const READING = new Set(['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch', 'TodoWrite']);

/** Tools that change something: without them, an agent only reads. */
const CHANGING = ['Edit', 'Write', 'Bash'];

/** Whether an agent is to change nothing, for products that have no list of tools. */
export function readsOnly(artifact: Artifact): boolean {
  if (authoredValue(artifact, 'readonly') === true) return true;
  const tools = allowedTools(artifact);
  if (tools !== undefined) return tools.length > 0 && tools.every((tool) => READING.has(tool));
  const denied = new Set(deniedTools(artifact));
  return CHANGING.every((tool) => denied.has(tool));
}

/** What such a product makes of a list of tools. */
export function withoutToolList(artifact: Artifact): string {
  return readsOnly(artifact)
    ? 'the harness cannot limit the tools of an agent, so the agent may only read, with every tool of the session'
    : 'the harness cannot limit the tools of an agent, so the agent may use every tool of the session';
}

/**
 * Limits of `permission` that a product with a list of tools does not have. `denies`: it has a list of
 * denied tools, too.
 */
export function permissionOf({ denies }: { denies: boolean }): KeySupport {
  return (artifact) => {
    const { asked, partial } = toolPolicy(artifact);
    const denied = denies || allowedTools(artifact) !== undefined ? [] : deniedTools(artifact);
    const reasons = [
      ...(denied.length === 0
        ? []
        : [
            `\`permission\` denies ${denied.join(', ')}, which is not written, so the agent may use them`,
          ]),
      ...(asked.length === 0
        ? []
        : [`the user is not asked before ${namesOf(asked)}; ask for it in the prose`]),
      ...(partial.length === 0
        ? []
        : [`\`permission\` limits some uses of ${partial.join(', ')}, and the agent may use all`]),
    ];
    return reasons.length === 0 ? undefined : reasons.join('; ');
  };
}

function namesOf(tools: readonly string[]): string {
  return tools.includes('*') ? 'any tool' : tools.join(', ');
}

/** Tools that are denied where there is no list of tools to leave them out of. */
function withoutDenials(artifact: Artifact): string | undefined {
  const denied = deniedTools(artifact);
  if (denied.length === 0 || allowedTools(artifact) !== undefined) return undefined;
  return `the harness cannot deny tools to an agent, so the agent may use ${denied.join(', ')}`;
}

/** The keys about tools, for a product with a list of tools and without one of denied tools. */
export function listedTools(tools: (artifact: Artifact) => string | undefined): TakenKeys {
  return {
    tools: (artifact) => tools(artifact) ?? mapDenials(artifact),
    disallowedTools: withoutDenials,
    permission: permissionOf({ denies: false }),
  };
}

/** `tools: {bash: false}` names tools to deny. */
function mapDenials(artifact: Artifact): string | undefined {
  return isJsonObject(authoredValue(artifact, 'tools')) ? withoutDenials(artifact) : undefined;
}

/** Short names that one product has for its models and no other knows. */
const SHORT_NAMES = new Set(['haiku', 'sonnet', 'opus', 'inherit']);

/** The author's `model` where it is the full name of one. */
export function fullModelName(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model');
  return model === undefined || SHORT_NAMES.has(model) ? undefined : model;
}
