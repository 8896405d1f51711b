import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext, Untranslatable } from '../../adapter.ts';
import { agentServers } from '../../place/agent-servers.ts';
import { modelsOf, type TakenKeys } from '../../place/narrowing-keys.ts';
import { withoutDescription } from '../../place/needs-description.ts';
import {
  authoredNames,
  authoredText,
  authoredValue,
  projectDocument,
} from '../../place/project-frontmatter.ts';
import { agentServerEntry, whyNotRunForAgent } from './mcp-servers.ts';
import { otherwiseTaken, toolNames } from './tool-names.ts';

/** An agent with the keys Gemini CLI knows: any other refuses the whole file. */
export function agentText(artifact: Artifact, { name }: PlaceContext): string | Untranslatable {
  const refused = withoutDescription(artifact, 'Gemini CLI');
  if (refused !== undefined) return refused;
  const brought = agentServers(artifact, { entry: agentServerEntry, refuses: whyNotRunForAgent });
  if ('untranslatable' in brought) return brought;
  const { servers } = brought;
  const slug = slugOf(name);
  const tools = authoredNames(artifact, 'tools');
  return projectDocument(artifact, [
    ['name', slug],
    ['display_name', slug === name ? undefined : name],
    ['description', artifact.description],
    ['kind', 'local'],
    ['tools', tools === undefined ? undefined : toolNames(tools)],
    ['mcp_servers', servers],
    ['model', modelOf(artifact)],
    ['temperature', numberOf(artifact, 'temperature')],
    ['max_turns', countOf(artifact, 'max_turns') ?? countOf(artifact, 'maxTurns')],
    ['timeout_mins', countOf(artifact, 'timeout_mins')],
  ]);
}

/** The name is that of a tool: small letters, digits, `-` and `_`. */
function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, '-');
}

const KNOWN_MODEL = /^(?:inherit|gemini-[\w.-]+)$/;

/** The author's own model where it is one of this product; there is none that a class comes to. */
function modelOf(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model');
  return model !== undefined && KNOWN_MODEL.test(model) ? model : undefined;
}

/** The keys of an author that come to something in an agent. */
export const AGENT_KEYS: TakenKeys = { tools: toolsTaken, model: modelsOf(modelOf) };

function toolsTaken(artifact: Artifact): string | undefined {
  const { missing, widened } = otherwiseTaken(authoredNames(artifact, 'tools') ?? []);
  const reasons = [
    ...missing.map((tool) => `there is no equivalent of ${tool}, so the agent does without`),
    ...widened.map((tool) => `${tool} becomes the whole tool, and the person is asked each time`),
  ];
  return reasons.length === 0 ? undefined : reasons.join('; ');
}

function numberOf(artifact: Artifact, key: string): number | undefined {
  const value = authoredValue(artifact, key);
  return typeof value === 'number' ? value : undefined;
}

function countOf(artifact: Artifact, key: string): number | undefined {
  const value = numberOf(artifact, key);
  return value !== undefined && Number.isInteger(value) && value > 0 ? value : undefined;
}
