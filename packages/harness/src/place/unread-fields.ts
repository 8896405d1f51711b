import type { Fallback, LandingField, OfAgents } from '../landing.ts';

/** Fields without support in most products; a product with support overrides them. */
export const UNREAD_FIELDS: Readonly<Record<LandingField, Fallback>> = {
  mcpServers: {
    fallback:
      'the server is not started with the artifact; deliver it as a separate mcp-server artifact',
  },
  delegates_to: {
    fallback: '`delegates_to` is not enforced, so the agent may call any other agent',
  },
  requiresApproval: { fallback: 'the harness does not ask for approval; ask for it in the prose' },
  sandbox_profile: {
    fallback: 'the sandbox profile is not enforced; only the compatibility of a skill names it',
  },
};

export const SERVERS_OF_AGENTS: OfAgents = {
  of_agents: UNREAD_FIELDS.mcpServers.fallback,
};
