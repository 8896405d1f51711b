import type { Artifact } from '@catalog/core/artifact/types';
import { canonicalJson } from '@catalog/core/canonical-json';
import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { authoredNames } from '../../place/project-frontmatter.ts';
import { allowedTools, authoredActions, wholeAction } from '../../place/tool-policy.ts';

export const PERMISSIONS: ReadonlyMap<string, string> = new Map([
  ['Read', 'read'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['Write', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Glob', 'glob'],
  ['Grep', 'grep'],
  ['LS', 'list'],
  ['Bash', 'bash'],
  ['Task', 'task'],
  ['Agent', 'task'],
  ['WebFetch', 'webfetch'],
  ['WebSearch', 'websearch'],
  ['TodoWrite', 'todowrite'],
  ['Skill', 'skill'],
]);

/** Pattern for the tools of MCP servers, which OpenCode names `<server>_<tool>`. */
export const SERVER_TOOLS = '*_*';

export const ALL_TOOLS = '*';

const TOOL = /^([A-Za-z]+)(?:\((.*)\))?$/s;

/** Tools of MCP servers: `mcp__server__tool`, `mcp__server` for all of a server, `mcp__*` for all servers. */
const SERVER_TOOL = /^mcp__(.+?)(?:__(.+))?$/;

/** Name of a tool of OpenCode or its plugins, or a pattern. */
const OWN_NAME = /^[a-z][\w*-]*$/;

export interface ToolName {
  permission: string | undefined;
  commands: string | undefined;
}

export function toolName(tool: string): ToolName {
  const [, server, name = ALL_TOOLS] = SERVER_TOOL.exec(tool) ?? [];
  if (server !== undefined) {
    return { permission: `${sanitize(server)}_${sanitize(name)}`, commands: undefined };
  }
  const [, word = '', commands] = TOOL.exec(tool) ?? [];
  if (tool === SERVER_TOOLS) return { permission: tool, commands: undefined };
  const permission = PERMISSIONS.get(word) ?? (OWN_NAME.test(tool) ? tool : undefined);
  return { permission, commands };
}

/** Converts a name like OpenCode. `*` stays as a wildcard. */
function sanitize(name: string): string {
  return name.replaceAll(/[^\w*-]/g, '_');
}

/** Permission: an action, or an action per pattern, of which the last match applies. */
type Rules = string | JsonObject;

/**
 * Returns the permissions of an agent. In OpenCode the last matching entry applies, and those of an agent follow those
 * of the user. A limited agent therefore starts with a denial of all tools, and never exceeds `existing`, the user's
 * own permissions.
 */
export function permissionsOf(
  artifact: Artifact,
  existing: readonly JsonObject[] = [],
): JsonObject | undefined {
  const own = ownPermissions(artifact);
  const written: JsonObject = {};
  for (const [permission, rules] of Object.entries(own)) {
    written[permission] = stricter(permission, rules, existing);
    if (!permission.includes('*') || rules === 'deny') continue;
    // Entries of the user for tools that the pattern matches.
    for (const [name, userRules] of existing.flatMap((map) => Object.entries(map))) {
      if (name === permission || Object.hasOwn(own, name) || !matches(permission, name)) continue;
      if (userRules !== 'allow') written[name] = userRules;
    }
  }
  return Object.keys(written).length === 0 ? undefined : written;
}

function ownPermissions(artifact: Artifact): Readonly<Record<string, Rules>> {
  const own: Record<string, Rules> = {};
  const allowed = allowedTools(artifact);
  if (allowed !== undefined) {
    own[ALL_TOOLS] = 'deny';
    for (const tool of allowed) grant(own, tool);
  }
  for (const [name, action] of authoredActions(artifact).flatMap((map) => Object.entries(map))) {
    if (name !== ALL_TOOLS) limit(own, name, action, allowed !== undefined);
    else if (action === 'ask' && allowed === undefined) own[ALL_TOOLS] = 'ask';
  }
  for (const tool of authoredNames(artifact, 'disallowedTools') ?? []) {
    limit(own, toolName(tool).permission ?? tool, 'deny', allowed !== undefined);
  }
  for (const { tool } of artifact.fields.requiresApproval ?? []) {
    const name = toolName(tool).permission ?? tool;
    if (!isDenied(own, name)) own[name] = requireApproval(own[name]);
  }
  return own;
}

/** With a list of tools, a limit applies only to tools of the list. */
function limit(own: Record<string, Rules>, name: string, action: Json, isClosed: boolean): void {
  const whole = wholeAction(action);
  if (whole === 'allow') {
    if (!isClosed && isDenied(own, name)) own[name] = 'allow';
  } else if (!isClosed || !isDenied(own, name)) {
    if (whole === 'deny') own[name] = 'deny';
    else if (whole === 'ask') own[name] = requireApproval(own[name]);
    else if (isJsonObject(action)) own[name] = action;
  }
}

function isDenied(own: Readonly<Record<string, Rules>>, name: string): boolean {
  return Object.entries(own).findLast(([pattern]) => matches(pattern, name))?.[1] === 'deny';
}

function grant(own: Record<string, Rules>, tool: string): void {
  const { permission, commands } = toolName(tool);
  if (permission === undefined) return;
  if (commands === undefined || permission !== 'bash') {
    own[permission] = 'allow';
    return;
  }
  const before = own[permission];
  if (before === 'allow') return;
  own[permission] = {
    [ALL_TOOLS]: 'deny',
    ...(isJsonObject(before) ? before : {}),
    [commands.replace(':*', ' *')]: 'ask',
  };
}

function requireApproval(rules: Rules | undefined): Rules {
  if (!isJsonObject(rules)) return 'ask';
  return Object.fromEntries(
    Object.entries(rules).map(([use, action]) => [use, action === 'deny' ? action : 'ask']),
  );
}

/** Uses about which OpenCode asks even if the tool is allowed. */
const DEFAULT_APPROVALS: ReadonlyMap<string, JsonObject> = new Map([
  ['read', { '*.env': 'ask', '*.env.*': 'ask', '*.env.example': 'allow' }],
]);

/** Returns true if the rules equal the default for an allowed tool. */
export function isReadByDefault(permission: string, rules: Json): boolean {
  return canonicalJson(rules) === canonicalJson(stricter(permission, 'allow', []));
}

/** Permissions that OpenCode accepts only without patterns. */
const WITHOUT_PATTERNS = new Set(['todowrite', 'webfetch', 'websearch', 'codesearch']);

function stricter(permission: string, rules: Rules, existing: readonly JsonObject[]): Rules {
  if (rules === 'deny') return rules;
  const userRules = existing.flatMap((map) =>
    Object.entries(map).flatMap(([name, value]) =>
      matches(name, permission) ? usesOf(value) : [],
    ),
  );
  if (rules !== 'allow') return withDenials(rules, userRules);
  const uses = [...Object.entries(DEFAULT_APPROVALS.get(permission) ?? {}), ...userRules];
  const merged = ordered([[ALL_TOOLS, 'allow'], ...uses]);
  if (!WITHOUT_PATTERNS.has(permission)) return simplified(merged);
  const actions = Object.values(merged);
  return ['deny', 'ask'].find((action) => actions.includes(action)) ?? 'allow';
}

/** Combines rules with those of the user that ask or deny. */
function withDenials(rules: Rules, userRules: readonly Use[]): Rules {
  if (userRules.findLast(([use]) => use === ALL_TOOLS)?.[1] === 'deny') return 'deny';
  const withApproval = userRules.some(([, action]) => action === 'ask')
    ? requireApproval(rules)
    : rules;
  return simplified(
    ordered([...usesOf(withApproval), ...userRules.filter(([, action]) => action === 'deny')]),
  );
}

type Use = [pattern: string, action: Json];

function usesOf(value: Json): Use[] {
  return isJsonObject(value) ? Object.entries(value) : [[ALL_TOOLS, value]];
}

/** Orders rules: a repeated pattern moves to its last position, and one for all uses removes earlier ones. */
function ordered(uses: readonly Use[]): JsonObject {
  const merged = new Map<string, Json>();
  for (const [use, action] of uses) {
    if (use === ALL_TOOLS) merged.clear();
    merged.delete(use);
    merged.set(use, action);
  }
  return Object.fromEntries(merged);
}

function simplified(rules: JsonObject): Rules {
  const [only, ...others] = Object.entries(rules);
  const [use, action] = only ?? [];
  return others.length === 0 && use === ALL_TOOLS && typeof action === 'string' ? action : rules;
}

function matches(pattern: string, name: string): boolean {
  const parts = pattern
    .split('*')
    .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name);
}
