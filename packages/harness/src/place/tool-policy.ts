import type { Artifact } from '@catalog/core/artifact/types';
import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { authoredNames, authoredValue } from './project-frontmatter.ts';

/** Tools of an agent, from `tools`, `disallowedTools` and `permission`, by canonical names. */
export interface ToolPolicy {
  /** Allowed tools; undefined for all. */
  allowed: string[] | undefined;
  denied: string[];
  asked: string[];
  /** Permissions such as `bash` that differ between uses of a tool. */
  partial: string[];
}

const TOOLS_OF_PERMISSION: ReadonlyMap<string, readonly string[]> = new Map([
  ['read', ['Read']],
  ['edit', ['Edit', 'MultiEdit', 'Write', 'NotebookEdit']],
  ['write', ['Write']],
  ['glob', ['Glob']],
  ['grep', ['Grep']],
  ['list', ['LS']],
  ['bash', ['Bash']],
  ['task', ['Task', 'Agent']],
  ['webfetch', ['WebFetch']],
  ['websearch', ['WebSearch']],
  ['todowrite', ['TodoWrite']],
  ['skill', ['Skill']],
  ['*_*', ['mcp__*']],
]);

export function toolsOf(permission: string): readonly string[] {
  return TOOLS_OF_PERMISSION.get(permission) ?? [permission];
}

/**
 * Returns the tools of an agent, from lists and maps: `tools: {bash: false}`, `permission: {edit: deny, bash: {'git *':
 * ask}}`.
 */
export function toolPolicy(artifact: Artifact): ToolPolicy {
  const policy: ToolPolicy = {
    allowed: authoredNames(artifact, 'tools'),
    denied: [...(authoredNames(artifact, 'disallowedTools') ?? [])],
    asked: [],
    partial: [],
  };
  for (const actions of authoredActions(artifact)) addActions(policy, actions);
  return policy;
}

export function authoredActions(artifact: Artifact): JsonObject[] {
  const tools = authoredValue(artifact, 'tools');
  const permission = authoredValue(artifact, 'permission');
  return [
    ...(isJsonObject(tools)
      ? [mapMembers(tools, (on) => (on === false || on === 'deny' ? 'deny' : 'allow'))]
      : []),
    ...(typeof permission === 'string' ? [{ '*': permission }] : []),
    ...(isJsonObject(permission) ? [permission] : []),
  ];
}

function mapMembers(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function addActions(policy: ToolPolicy, { '*': rest, ...actions }: JsonObject): void {
  const allowed: string[] = [];
  for (const [permission, action] of Object.entries(actions)) {
    const one = wholeAction(action);
    if (one === 'deny') policy.denied.push(...toolsOf(permission));
    else if (one === undefined) policy.partial.push(permission);
    else if (one === 'ask') policy.asked.push(...toolsOf(permission));
    if (one !== 'deny') allowed.push(...toolsOf(permission));
  }
  if (rest === 'ask') policy.asked.push('*');
  if (rest !== 'deny') return;
  policy.allowed = policy.allowed?.filter((tool) => allowed.includes(tool)) ?? allowed;
}

/** Returns the action of a tool; undefined if its uses differ. */
export function wholeAction(action: Json): Json | undefined {
  if (!isJsonObject(action)) return action;
  const [first, ...others] = new Set(Object.values(action));
  return others.length === 0 ? first : undefined;
}

/** Returns the allowed tools; undefined for all. */
export function allowedTools(artifact: Artifact): string[] | undefined {
  const { allowed, denied } = toolPolicy(artifact);
  const without = new Set(denied);
  return allowed?.filter((tool) => !without.has(tool) && !without.has(tool.replace(/\(.*$/s, '')));
}

export function deniedTools(artifact: Artifact): string[] {
  return [...new Set(toolPolicy(artifact).denied)];
}
