import type { Artifact } from '@catalog/core/artifact/types';
import type { Json, JsonObject } from '@catalog/core/json';
import type { Fallback } from '../../landing.ts';
import { modelsOf, type TakenKeys } from '../../place/narrowing-keys.ts';
import { authoredNames, authoredText, projectDocument } from '../../place/project-frontmatter.ts';

/**
 * An agent with the keys OpenCode knows and no other: whatever else stands in the frontmatter it
 * sends to the model's provider as an option.
 */
export function agentText(artifact: Artifact): string {
  return projectDocument(artifact, [
    ['description', artifact.description],
    ['mode', 'subagent'],
    ['model', providerModel(artifact)],
    ['permission', permissionOf(artifact)],
  ]);
}

/** What becomes of `requiresApproval`. */
export const ASKED_OF_AGENTS: Fallback = {
  fallback: 'an agent asks before it uses the tool; for any other type say so in the prose',
};

/** A model is named with its provider, `anthropic/claude-sonnet-4-5`; a bare name fails to load. */
export function providerModel(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model');
  return model?.includes('/') === true ? model : undefined;
}

/** The permission each tool an author may name falls under. */
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

/** `Bash(git log:*)`: a tool, and the commands it is for. */
const TOOL = /^([A-Za-z]+)(?:\((.*)\))?$/;

/** Every tool of an MCP server: OpenCode names them `<server>_<tool>`. */
export const SERVER_TOOLS = '*_*';

/** `mcp__server__tool`, `mcp__server` for all tools of a server, `mcp__*` for those of all servers. */
const SERVER_TOOL = /^mcp__(.+?)(?:__(.+))?$/;

/** The permission of a tool of an MCP server; undefined for any other tool. */
function serverPermission(tool: string): string | undefined {
  const [, server, name = '*'] = SERVER_TOOL.exec(tool) ?? [];
  return server === undefined ? undefined : `${sanitize(server)}_${sanitize(name)}`;
}

/** Replaces what OpenCode replaces in the names of servers and tools; `*` is a pattern. */
function sanitize(name: string): string {
  return name.replaceAll(/[^\w*-]/g, '_');
}

/**
 * The author's `tools` and `requiresApproval` as permissions. It only ever takes away: a tool that is
 * not named is denied, those of MCP servers included, a command pattern, a tool of a server or an
 * approval becomes a question, and what the person has set for the rest stays. The last entry that
 * matches a tool decides, so the pattern for all servers comes first.
 */
function permissionOf(artifact: Artifact): JsonObject | undefined {
  const permission: Record<string, Json> = {};
  const tools = authoredNames(artifact, 'tools');
  if (tools !== undefined) {
    permission[SERVER_TOOLS] = 'deny';
    for (const name of new Set(PERMISSIONS.values())) permission[name] = 'deny';
    for (const tool of tools) grant(permission, tool);
  }
  for (const { tool } of artifact.fields.requiresApproval ?? []) {
    const name = PERMISSIONS.get(tool) ?? serverPermission(tool) ?? tool;
    const isDenied = permission[SERVER_TOOLS] !== undefined && name.includes('_');
    if (permission[name] === undefined && !isDenied) permission[name] = 'ask';
  }
  return Object.keys(permission).length === 0 ? undefined : permission;
}

function grant(permission: Record<string, Json>, tool: string): void {
  const server = serverPermission(tool);
  if (server === SERVER_TOOLS) {
    delete permission[server];
    return;
  }
  if (server !== undefined) {
    permission[server] = 'ask';
    return;
  }
  const [, name = '', pattern] = TOOL.exec(tool) ?? [];
  const key = PERMISSIONS.get(name);
  if (key === undefined) return;
  if (pattern === undefined || key !== 'bash') {
    delete permission[key];
    return;
  }
  if (permission[key] === undefined) return;
  const patterns = permission[key];
  const before = typeof patterns === 'object' && !Array.isArray(patterns) ? patterns : {};
  permission[key] = { '*': 'deny', ...before, [pattern.replace(':*', ' *')]: 'ask' };
}

/** The keys of an author that come to something in an agent. */
export const AGENT_KEYS: TakenKeys = {
  tools: toolsTaken,
  model: modelsOf(providerModel),
};

/** A tool without a permission is not granted; of a pattern only that of a shell command is kept. */
function toolsTaken(artifact: Artifact): string | undefined {
  const tools = (authoredNames(artifact, 'tools') ?? []).map((tool) => {
    const [, name = '', pattern] = TOOL.exec(tool) ?? [];
    return { tool, key: PERMISSIONS.get(name), pattern };
  });
  const reasons = tools.flatMap(({ tool, key, pattern }) => {
    const server = serverPermission(tool);
    if (server === SERVER_TOOLS) return [];
    if (server !== undefined) return [`the person is asked before each call of ${tool}`];
    if (key === undefined) return [`there is no permission for ${tool}, so none is given`];
    if (pattern === undefined) return [];
    return key === 'bash'
      ? [`the person is asked before each command that ${tool} allows`]
      : [`${tool} becomes the whole tool`];
  });
  return reasons.length === 0 ? undefined : reasons.join('; ');
}
