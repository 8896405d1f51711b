import type { Artifact, SandboxProfile } from '@catalog/core/artifact/types';
import type { JsonObject } from '@catalog/core/json';
import type { PlaceContext, Untranslatable } from '../../adapter.ts';
import { readsOnly } from '../../place/agent-keys.ts';
import type { Fallback } from '../../landing.ts';
import { agentServers } from '../../place/agent-servers.ts';
import { markedBody } from '../../place/document-text.ts';
import { modelsOf, type SupportedKeys } from '../../place/authored-keys.ts';
import { withoutDescription } from '../../place/needs-description.ts';
import { authoredText } from '../../place/project-frontmatter.ts';
import { tomlDocument } from '../../place/toml-text.ts';
import { mcpServerEntry, whyNotRun } from './mcp-servers.ts';

/** Renders an agent. Codex rejects a file with an unknown key. */
export function agentText(artifact: Artifact, { name }: PlaceContext): string | Untranslatable {
  const refused = withoutDescription(artifact, 'Codex') ?? withoutProse(artifact);
  if (refused !== undefined) return refused;
  const brought = agentServers(artifact, { entry: mcpServerEntry, refuses: whyNotRun });
  if ('untranslatable' in brought) return brought;
  const { servers } = brought;
  return tomlDocument({
    name,
    description: artifact.description,
    developer_instructions: markedBody(artifact),
    model: modelOf(artifact) ?? null,
    model_reasoning_effort: effortOf(artifact) ?? null,
    ...sandboxOf(artifact),
    mcp_servers: servers ?? null,
  });
}

function withoutProse({ body }: Artifact): Untranslatable | undefined {
  if (body.trim() !== '') return undefined;
  return { untranslatable: 'Codex ignores an agent without instructions; add a prompt' };
}

const KNOWN_MODEL = /^(?:gpt-|codex-|o\d)[\w.-]*$/;

function modelOf(artifact: Artifact): string | undefined {
  const model = authoredText(artifact, 'model');
  return model !== undefined && KNOWN_MODEL.test(model) ? model : undefined;
}

/** Returns the effort. `max` becomes `high`, because not every model supports more. */
function effortOf({ fields }: Artifact): string | undefined {
  return fields.effort_hint === 'max' ? 'high' : fields.effort_hint;
}

/** Returns the sandbox. Codex accepts the key but uses the sandbox of the session, so it is reported as a fallback. */
function sandboxOf(artifact: Artifact): JsonObject {
  const { sandbox_profile = 'unrestricted' } = artifact.fields;
  return SANDBOXES[readsOnly(artifact) ? 'read-only-fs' : sandbox_profile];
}

export const AGENT_KEYS: SupportedKeys = {
  tools: withoutTools,
  disallowedTools: withoutTools,
  permission: withoutTools,
  readonly: () => SANDBOX_IGNORED,
  model: modelsOf(modelOf),
  effort_hint: 'converted',
};

function withoutTools(): string {
  return 'the harness cannot limit the tools of an agent, so the agent may use every tool of the session';
}

const SANDBOX_IGNORED =
  'the sandbox is not enforced: Codex ignores `sandbox_mode` of an agent and uses the sandbox of the session';

/** Fields that are written to an agent but have no effect in Codex. */
export const AGENT_FIELDS = {
  sandbox_profile: { fallback: SANDBOX_IGNORED },
  mcpServers: {
    fallback:
      'the server is not started: Codex ignores `mcp_servers` of an agent; deliver it as an mcp-server artifact as well',
  },
} as const satisfies Record<string, Fallback>;

/** Sandbox settings by profile. `unrestricted` writes nothing, so that the setting of the user applies. */
const SANDBOXES: Readonly<Record<SandboxProfile, JsonObject>> = {
  unrestricted: {},
  'read-only-fs': { sandbox_mode: 'read-only' },
  'network-isolated': {
    sandbox_mode: 'workspace-write',
    sandbox_workspace_write: { network_access: false },
  },
  'seccomp-strict': { sandbox_mode: 'read-only' },
};
