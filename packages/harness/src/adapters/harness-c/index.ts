import { defineHarness } from '../../define-harness.ts';
import type { Refused } from '../../adapter.ts';
import { sharedMarketplace } from '../harness-a/marketplace.ts';

const PUBLISHED_ONLY: Refused = {
  refused:
    'it takes this from a published marketplace only; add a target of kind marketplace for harness-c, or leave harness-c out with target_harnesses',
};

/** Adapter for a web product. Everything except context needs the shared marketplace. */
export const harnessC = defineHarness({
  id: 'harness-c',
  summary: 'web product for organizations: context here, the rest by the shared marketplace',
  revision: 1,
  detect: [],
  marketplace: sharedMarketplace,
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
      'it starts no MCP server on a machine of yours; publish a marketplace that your organization imports',
  },
});
