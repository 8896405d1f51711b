import type { Refused } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import { claudeMarketplace } from '../claude-code/marketplace.ts';

const PUBLISHED_ONLY: Refused = {
  refused:
    'Cowork takes this from a published marketplace only; add a target of kind marketplace for claude-cowork, or leave it out with target_harnesses',
};

/** Adapter for Claude on the web and Cowork. Only context works without a marketplace of the organization. */
export const claudeCowork = defineHarness({
  id: 'claude-cowork',
  summary: 'Claude Cowork: context here, the rest by a marketplace',
  label: 'harness-c',
  revision: 1,
  detect: [],
  marketplace: claudeMarketplace,
  skill: PUBLISHED_ONLY,
  agent: PUBLISHED_ONLY,
  command: PUBLISHED_ONLY,
  rule: PUBLISHED_ONLY,
  hook: PUBLISHED_ONLY,
  mcp_server: PUBLISHED_ONLY,
  extension: PUBLISHED_ONLY,
  fields: 'unsupported',
  mcp_config: {
    refused:
      'Cowork starts no MCP server on a machine of yours; publish a marketplace that your organization imports',
  },
});
