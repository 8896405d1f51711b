import type { Artifact } from '@catalog/core/artifact/types';
import { isJsonObject, type JsonObject } from '@catalog/core/json';
import type { PlaceContext, ReadSettings } from '../../adapter.ts';
import type { Fallback } from '../../landing.ts';
import { modelsOf, TURNS, valuesOf, type SupportedKeys } from '../../place/authored-keys.ts';
import {
  authoredNumber,
  authoredText,
  authoredTurns,
  authoredValue,
  projectDocument,
  type ProjectedKey,
} from '../../place/project-frontmatter.ts';
import { allowedTools } from '../../place/tool-policy.ts';
import { permissionsOf, toolName } from './permissions.ts';

const FLAGS = ['hidden', 'disable'] as const;

/** Renders an agent. OpenCode passes unknown keys to the model's provider as options. */
export function agentText(artifact: Artifact, { name, settings }: PlaceContext): string {
  const documents = settings?.documents ?? [];
  const existing = [
    ...(settings?.unreadable.length ? [ASK_ALWAYS] : []),
    ...[...documents, ...documents.map((document) => agentIn(document, name))].flatMap(limitsIn),
  ];
  return projectDocument(artifact, [
    ['description', artifact.description],
    ['mode', 'subagent'],
    ['model', providerModel(artifact)],
    ['steps', authoredTurns(artifact)],
    ['temperature', authoredNumber(artifact, 'temperature')],
    ['top_p', authoredNumber(artifact, 'top_p')],
    ['color', colorOf(artifact)],
    ...FLAGS.map((key): ProjectedKey => [key, authoredValue(artifact, key) === true || undefined]),
    ['permission', permissionsOf(artifact, existing)],
  ]);
}

const ASK_ALWAYS: JsonObject = { '*': 'ask' };

function agentIn({ agent }: JsonObject, name: string): JsonObject {
  const own = isJsonObject(agent) ? agent[name] : undefined;
  return isJsonObject(own) ? own : {};
}

function limitsIn({ tools, permission }: JsonObject): JsonObject[] {
  return [
    ...(isJsonObject(tools)
      ? [
          Object.fromEntries(
            Object.entries(tools).map(([tool, on]) => [tool, on === false ? 'deny' : 'allow']),
          ),
        ]
      : []),
    ...(typeof permission === 'string' ? [{ '*': permission }] : []),
    ...(isJsonObject(permission) ? [permission] : []),
  ];
}

/** Returns the permissions of the user, which an agent with a tool list must not loosen. */
export function permissionSettings(product: string): ReadSettings {
  const files = [`${product}.json`, `${product}.jsonc`];
  return {
    home: ['config.json', ...files].map((file) => `.config/${product}/${file}`),
    workspace: [...files, ...files.map((file) => `.${product}/${file}`)],
    members: ['permission', 'tools', 'agent'],
    unread: (artifact) =>
      artifact.type === 'agent' && allowedTools(artifact) !== undefined
        ? {
            capability: 'type:agent',
            reason:
              'the user is asked before each tool of the agent, also before one that the file denies',
          }
        : undefined,
  };
}

export const APPROVAL_SUPPORT: Fallback = {
  fallback: 'an agent asks before it uses the tool; for any other type say so in the prose',
};

/** Returns a model with its provider, as in `anthropic/claude-sonnet-4-5`. OpenCode cannot load a name alone. */
export function providerModel(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model');
  return model?.includes('/') === true ? model : undefined;
}

/** Returns the color. OpenCode rejects its whole configuration for an invalid one. */
function colorOf(artifact: Artifact): string | undefined {
  const color = authoredText(artifact, 'color');
  return color !== undefined && /^#[\da-f]{6}$/i.test(color) ? color : undefined;
}

export const AGENT_KEYS: SupportedKeys = {
  ...TURNS,
  tools: describeToolLoss,
  disallowedTools: 'converted',
  permission: 'native',
  model: modelsOf(providerModel),
  temperature: valuesOf('agent', 'temperature', (artifact) =>
    authoredNumber(artifact, 'temperature'),
  ),
  top_p: valuesOf('agent', 'top_p', (artifact) => authoredNumber(artifact, 'top_p')),
  color: valuesOf('agent', 'color', colorOf),
  hidden: 'native',
  disable: 'native',
};

/** Describes lost tools. A tool without a permission is not granted, and patterns stay only for shell commands. */
function describeToolLoss(artifact: Artifact): string | undefined {
  const reasons = (allowedTools(artifact) ?? []).flatMap((tool) => {
    const { permission, commands } = toolName(tool);
    if (permission === undefined)
      return [`the harness has no permission for ${tool}, so the agent cannot use it`];
    if (commands === undefined) return [];
    return permission === 'bash'
      ? [`the user is asked before each command that ${tool} allows`]
      : [`${tool} becomes the whole tool`];
  });
  return reasons.length === 0 ? undefined : reasons.join('; ');
}
