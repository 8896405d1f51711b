import type { Artifact } from '@catalog/core/artifact/types';
import type { Json, JsonObject } from '@catalog/core/json';
import type { PlaceContext, Untranslatable } from '../../adapter.ts';
import { agentServers } from '../../place/agent-servers.ts';
import { permissionOf } from '../../place/agent-keys.ts';
import { modelsOf, TURNS, valuesOf, type SupportedKeys } from '../../place/authored-keys.ts';
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
 * Keys written as authored. `permissionMode` and `hooks` are not among them: an agent must not loosen permissions, and
 * hooks are separate artifacts.
 */
const AS_AUTHORED = ['skills', 'memory', 'background', 'isolation', 'color'] as const;

/** Renders an agent. `name` comes first, because Claude Code ignores a file without it. */
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

/** Tool limited to some uses, such as `Bash(git log:*)`. `Agent(…)` does not match, because Claude Code enforces it. */
const NARROWED = /^(?!Agent\(|Task\()\w+\(.*\)$/;

export const AGENT_KEYS: SupportedKeys = {
  ...Object.fromEntries(AS_AUTHORED.map((key) => [key, 'native' as const])),
  ...TURNS,
  tools: describeToolLoss,
  disallowedTools: 'native',
  permission: permissionOf({ denies: true }),
  model: modelsOf(modelOf),
  model_class_hint: 'converted',
  effort: valuesOf('agent', 'effort', authoredEffort),
  effort_hint: 'converted',
};

/** Describes tools that cannot be limited: Claude Code asks before other uses, except in bypassPermissions mode. */
function describeToolLoss(artifact: Artifact): string | undefined {
  const narrowed = (allowedTools(artifact) ?? []).filter((tool) => NARROWED.test(tool));
  if (narrowed.length === 0) return undefined;
  return `Claude Code does not enforce ${narrowed.join(', ')} under bypassPermissions, where the agent may use the whole tool`;
}

function listed(servers: JsonObject): Json {
  return Object.entries(servers).map(([server, entry]) => ({ [server]: entry }));
}
