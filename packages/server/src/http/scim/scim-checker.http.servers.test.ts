import { startRegistry } from '@catalog/testkit/registry-server';
import { beforeAll, describe, expect } from 'vitest';
import { checkScim, installScimChecker } from '../../../../../tools/services/scim-checker.ts';
import { verifies } from '@catalog/testkit/verifies';

const TOKEN = 'a-token-of-the-directory';
/** The first run downloads Python packages. */
const INSTALL_MS = 600_000;
const CHECK_MS = 300_000;

describe('scim2-tester', () => {
  beforeAll(() => installScimChecker(), INSTALL_MS);

  verifies(
    'SCIM-01',
    'passes every check of scim2-tester',
    async () => {
      const server = await startRegistry({ settings: { 'scim.tokens': [TOKEN] } });
      const outcomes = await checkScim(`${server.url}/scim/v2`, TOKEN);
      expect(outcomes.filter(({ status }) => status !== 'SUCCESS')).toEqual([]);
      expect(outcomes.length).toBeGreaterThan(120);
      expect(new Set(outcomes.map(({ resource_type }) => resource_type))).toContain('Group');
      expect(server.log).toEqual([]);
    },
    { timeout: CHECK_MS },
  );
});
