import { describe, expect } from 'vitest';
import { loadAdapter } from '@catalog/harness/registry';
import { verifies } from '@catalog/testkit/verifies';
import { expectRefused } from './expect-refused.ts';
import { openPlace } from './place.ts';
import { CONTEXT, catalogOf, rule } from './samples.ts';

describe('harness-b', () => {
  verifies('HB-01', 'rejects a skill', () => expectRefused('harness-b', 'skill'));
  verifies('HB-02', 'rejects an agent', () => expectRefused('harness-b', 'agent'));
  verifies('HB-03', 'rejects context', () => expectRefused('harness-b', 'context'));
  verifies('HB-04', 'rejects a command', () => expectRefused('harness-b', 'command'));
  verifies('HB-05', 'rejects a rule', () => expectRefused('harness-b', 'rule'));
  verifies('HB-06', 'rejects a hook', () => expectRefused('harness-b', 'hook'));
  verifies('HB-07', 'rejects an mcp-server', () => expectRefused('harness-b', 'mcp-server'));

  verifies('RULE-05', 'rejects a rule with any mode', async () => {
    for (const mode of ['always', 'glob', 'auto', 'explicit']) {
      const place = openPlace('harness-b', { 'ops/no-friday/ARTIFACT.md': rule(mode) });
      expect((await place.refusal()).message).toContain(`rule_mode ${mode}`);
      expect(place.all()).toEqual({});
    }
  });

  verifies(
    'HB-08',
    'has its own MCP configuration, and can be excluded by an artifact',
    async () => {
      const place = openPlace('harness-b', catalogOf('context'));
      expect((await place.refusal()).message).toContain('`catalog mcp config harness-b --write`');
      const { mcp_config } = loadAdapter('harness-b');
      expect(mcp_config).toMatchObject({
        user: { path: '.config/harness-b/harness_b_config.json', container: ['mcpServers'] },
      });
      expect(mcp_config).not.toHaveProperty('project');
      place.author({
        'ops/terms/ARTIFACT.md': CONTEXT.replace(
          '---\nTerms',
          'target_harnesses: [harness-a]\n---\nTerms',
        ),
      });
      const { targets } = await place.sync();
      expect(targets[0]?.changes).toEqual([]);
      expect(place.tree()).toEqual({});
    },
  );
});
