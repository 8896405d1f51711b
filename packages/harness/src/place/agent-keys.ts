import type { Artifact } from '@catalog/core/artifact/types';
import { isJsonObject } from '@catalog/core/json';
import type { KeySupport, SupportedKeys } from './authored-keys.ts';
import { authoredText, authoredValue } from './project-frontmatter.ts';
import { allowedTools, deniedTools, toolPolicy } from './tool-policy.ts';

/**
 * Returns the tools of an agent in the names of a product. Tools without a name are left out, and so are those limited
 * to some commands, because the product would allow all. Undefined without authored tools.
 */
export function mappedTools(
  artifact: Artifact,
  names: ReadonlyMap<string, string>,
): string[] | undefined {
  const tools = allowedTools(artifact);
  if (tools === undefined) return undefined;
  return [...new Set(tools.flatMap((tool) => names.get(tool) ?? []))];
}

/** Returns the support of tools; those without a name in the product are lost. */
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

const READING = new Set(['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch', 'TodoWrite']);

/** Tools without which an agent is read-only. */
const CHANGING = ['Edit', 'Write', 'Bash'];

/** Returns true for a read-only agent, for products without a tool list. */
export function readsOnly(artifact: Artifact): boolean {
  if (authoredValue(artifact, 'readonly') === true) return true;
  const tools = allowedTools(artifact);
  if (tools !== undefined) return tools.length > 0 && tools.every((tool) => READING.has(tool));
  const denied = new Set(deniedTools(artifact));
  return CHANGING.every((tool) => denied.has(tool));
}

export function withoutToolList(artifact: Artifact): string {
  return readsOnly(artifact)
    ? 'the harness cannot limit the tools of an agent, so the agent may only read, with every tool of the session'
    : 'the harness cannot limit the tools of an agent, so the agent may use every tool of the session';
}

/**
 * Returns the support of permissions for a product with a tool list; `denies` means that it also has a list of denied
 * tools.
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

/** Describes denied tools that are lost, without a tool list that leaves them out. */
function withoutDenials(artifact: Artifact): string | undefined {
  const denied = deniedTools(artifact);
  if (denied.length === 0 || allowedTools(artifact) !== undefined) return undefined;
  return `the harness cannot deny tools to an agent, so the agent may use ${denied.join(', ')}`;
}

/** Returns the support of tools for a product without a list of denied ones. */
export function listedTools(tools: (artifact: Artifact) => string | undefined): SupportedKeys {
  return {
    tools: (artifact) => tools(artifact) ?? mapDenials(artifact),
    disallowedTools: withoutDenials,
    permission: permissionOf({ denies: false }),
  };
}

/** Describes denied tools, as in `tools: {bash: false}`. */
function mapDenials(artifact: Artifact): string | undefined {
  return isJsonObject(authoredValue(artifact, 'tools')) ? withoutDenials(artifact) : undefined;
}

const SHORT_NAMES = new Set(['haiku', 'sonnet', 'opus', 'inherit']);

export function fullModelName(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model');
  return model === undefined || SHORT_NAMES.has(model) ? undefined : model;
}
