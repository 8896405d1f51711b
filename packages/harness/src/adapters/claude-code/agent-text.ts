import type { Artifact } from '@catalog/core/artifact/types';
import type { Json, JsonObject } from '@catalog/core/json';
import type { PlaceContext, Untranslatable } from '../../adapter.ts';
import { agentServers } from '../../place/agent-servers.ts';
import { permissionOf } from '../../place/agent-keys.ts';
import { modelsOf, TURNS, valuesOf, type TakenKeys } from '../../place/authored-keys.ts';
import { withoutDescription } from '../../place/needs-description.ts';
import {
  authoredTurns,
  authoredValue,
  projectDocument,
  type ProjectedKey,
} from '../../place/project-frontmatter.ts';
import { allowedTools, deniedTools } from '../../place/tool-policy.ts';
import { agentServerEntry, whyNoSecrets } from './mcp-servers.ts';
import { authoredEffort, effortOf, modelOf } from './models.ts';

/**
 * Keys of Claude Code that an author may add and that are taken as they are. `permissionMode` and
 * `hooks` are not among them: an agent must not loosen what a person allows, and a hook is an
 * artifact of its own.
 */
const AS_AUTHORED = ['skills', 'memory', 'background', 'isolation', 'color'] as const;

/** An agent with the keys Claude Code knows, its name first: without one the file is passed over. */
export function agentText(artifact: Artifact, { name }: PlaceContext): string | Untranslatable {
  const refused = withoutDescription(artifact, 'Claude Code');
  if (refused !== undefined) return refused;
  const brought = agentServers(artifact, { entry: agentServerEntry, refuses: whyNoSecrets });
  if ('untranslatable' in brought) return brought;
  const { servers } = brought;
  const denied = deniedTools(artifact);
  return projectDocument(artifact, [
    ['name', name],
    ['description', artifact.description],
    ['tools', allowedTools(artifact)?.join(', ')],
    ['disallowedTools', denied.length === 0 ? undefined : denied.join(', ')],
    ['model', modelOf(artifact)],
    ['effort', effortOf(artifact)],
    ['mcpServers', servers === undefined ? undefined : listed(servers)],
    ['maxTurns', authoredTurns(artifact)],
    ...AS_AUTHORED.map((key): ProjectedKey => [key, authoredValue(artifact, key)]),
  ]);
}

/** `Bash(git log:*)`: a tool, narrowed to some of its uses. Agents are narrowed by name, and enforced. */
const NARROWED = /^(?!Agent\(|Task\()\w+\(.*\)$/;

/** The keys of an author that come to something in an agent. */
export const AGENT_KEYS: TakenKeys = {
  ...Object.fromEntries(AS_AUTHORED.map((key) => [key, 'native' as const])),
  ...TURNS,
  tools: toolsTaken,
  disallowedTools: 'native',
  permission: permissionOf({ denies: true }),
  model: modelsOf(modelOf),
  model_class_hint: 'converted',
  effort: valuesOf('agent', 'effort', authoredEffort),
  effort_hint: 'converted',
};

/** Claude Code asks before a use that a pattern does not cover, unless nothing is asked at all. */
function toolsTaken(artifact: Artifact): string | undefined {
  const narrowed = (allowedTools(artifact) ?? []).filter((tool) => NARROWED.test(tool));
  if (narrowed.length === 0) return undefined;
  return `Claude Code does not enforce ${narrowed.join(', ')} under bypassPermissions, where the agent may use the whole tool`;
}

/** Claude Code has a list of servers, each a map of one name. */
function listed(servers: JsonObject): Json {
  return Object.entries(servers).map(([server, entry]) => ({ [server]: entry }));
}
