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

/**
 * The author's `tools` and `requiresApproval` as permissions. It only ever takes away: a tool that is
 * not named is denied, a command pattern or an approval becomes a question, and what the person has
 * set for the rest stays.
 */
function permissionOf(artifact: Artifact): JsonObject | undefined {
  const permission: Record<string, Json> = {};
  const tools = authoredNames(artifact, 'tools');
  if (tools !== undefined) {
    for (const name of new Set(PERMISSIONS.values())) permission[name] = 'deny';
    for (const tool of tools) grant(permission, tool);
  }
  for (const { tool } of artifact.fields.requiresApproval ?? []) {
    const name = PERMISSIONS.get(tool) ?? tool;
    if (permission[name] === undefined) permission[name] = 'ask';
  }
  return Object.keys(permission).length === 0 ? undefined : permission;
}

function grant(permission: Record<string, Json>, tool: string): void {
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
    if (key === undefined) return [`there is no permission for ${tool}, so none is given`];
    if (pattern === undefined) return [];
    return key === 'bash'
      ? [`the person is asked before each command that ${tool} allows`]
      : [`${tool} becomes the whole tool`];
  });
  return reasons.length === 0 ? undefined : reasons.join('; ');
}
