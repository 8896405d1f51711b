import type { Fallback, LandingField, OfAgents } from '../landing.ts';

/**
 * What becomes of the fields no product has a place for; a product that has one for some of them
 * overrides it.
 */
export const UNREAD_FIELDS: Readonly<Record<LandingField, Fallback>> = {
  mcpServers: {
    fallback:
      'the server is not started with the artifact; deliver it as a separate mcp-server artifact',
  },
  delegates_to: { fallback: 'whom it may delegate to is not enforced' },
  requiresApproval: { fallback: 'the harness does not ask for approval; ask for it in the prose' },
  sandbox_profile: {
    fallback: 'the sandbox is named in the compatibility of a skill and is not enforced',
  },
};

/** For products whose agents bring their servers along. */
export const SERVERS_OF_AGENTS: OfAgents = {
  of_agents: UNREAD_FIELDS.mcpServers.fallback,
};
