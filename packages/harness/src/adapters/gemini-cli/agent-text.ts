import type { Artifact } from '@catalog/core/artifact/types';
import type { PlaceContext, Untranslatable } from '../../adapter.ts';
import { agentServers } from '../../place/agent-servers.ts';
import { listedTools } from '../../place/agent-keys.ts';
import { modelsOf, TURNS, valuesOf, type SupportedKeys } from '../../place/authored-keys.ts';
import { withoutDescription } from '../../place/needs-description.ts';
import {
  authoredCount,
  authoredNumber,
  authoredText,
  authoredTurns,
  projectDocument,
} from '../../place/project-frontmatter.ts';
import { allowedTools } from '../../place/tool-policy.ts';
import { agentServerEntry, whyNotRunForAgent } from './mcp-servers.ts';
import { describeToolChanges, toolNames } from './tool-names.ts';

/** Renders an agent. Gemini CLI rejects a file with any other key. */
export function agentText(artifact: Artifact, { name }: PlaceContext): string | Untranslatable {
  const refused = withoutDescription(artifact, 'Gemini CLI');
  if (refused !== undefined) return refused;
  const brought = agentServers(artifact, { entry: agentServerEntry, refuses: whyNotRunForAgent });
  if ('untranslatable' in brought) return brought;
  const { servers } = brought;
  const slug = slugOf(name);
  const tools = allowedTools(artifact);
  return projectDocument(artifact, [
    ['name', slug],
    ['display_name', slug === name ? undefined : name],
    ['description', artifact.description],
    ['kind', 'local'],
    ['tools', tools === undefined ? undefined : toolNames(tools)],
    ['mcp_servers', servers],
    ['model', modelOf(artifact)],
    ['temperature', temperatureOf(artifact)],
    ['max_turns', authoredTurns(artifact)],
    ['timeout_mins', minutesOf(artifact)],
  ]);
}

/** Converts a name: valid ones have lowercase letters, digits, `-` and `_`. */
function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, '-');
}

const KNOWN_MODEL = /^(?:inherit|gemini-[\w.-]+)$/;

function modelOf(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model');
  return model !== undefined && KNOWN_MODEL.test(model) ? model : undefined;
}

export const AGENT_KEYS: SupportedKeys = {
  ...TURNS,
  ...listedTools(describeToolLoss),
  model: modelsOf(modelOf),
  temperature: valuesOf('agent', 'temperature', temperatureOf),
  timeout_mins: valuesOf('agent', 'timeout_mins', minutesOf),
};

function describeToolLoss(artifact: Artifact): string | undefined {
  const { missing, widened } = describeToolChanges(allowedTools(artifact) ?? []);
  const reasons = [
    ...missing.map((tool) => `the harness does not support ${tool}, so the agent cannot use it`),
    ...widened.map(
      (tool) => `${tool} becomes the whole tool, and Gemini CLI asks the user each time`,
    ),
  ];
  return reasons.length === 0 ? undefined : reasons.join('; ');
}

function temperatureOf(artifact: Artifact): number | undefined {
  return authoredNumber(artifact, 'temperature');
}

function minutesOf(artifact: Artifact): number | undefined {
  return authoredCount(artifact, 'timeout_mins');
}
