import { describe, expect } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { expectRefused } from './expect-refused.ts';
import { deliver, openPlace } from './place.ts';
import { CONTEXT, catalogOf, rule } from './samples.ts';

describe('harness-c', () => {
  verifies('HC-01', 'installs context', async () => {
    const place = await deliver('harness-c', catalogOf('context'));
    expect(place.tree()).toEqual({
      '.catalog/context/ops/terms/ARTIFACT.md': CONTEXT,
      '.catalog/context/ops/terms/more.md': 'More.\n',
    });
  });

  verifies('HC-02', 'rejects a skill', () => expectRefused('harness-c', 'skill'));
  verifies('HC-03', 'rejects an agent', () => expectRefused('harness-c', 'agent'));
  verifies('HC-04', 'rejects a command', () => expectRefused('harness-c', 'command'));
  verifies('HC-05', 'rejects a rule', () => expectRefused('harness-c', 'rule'));
  verifies('HC-06', 'rejects a hook', () => expectRefused('harness-c', 'hook'));
  verifies('HC-07', 'rejects an mcp-server', () => expectRefused('harness-c', 'mcp-server'));

  verifies('RULE-06', 'accepts a rule with any mode only through the marketplace', async () => {
    for (const mode of ['always', 'glob', 'auto', 'explicit']) {
      const place = openPlace('harness-c', { 'ops/no-friday/ARTIFACT.md': rule(mode) });
      const { message } = await place.refusal();
      expect(message).toContain(`rule_mode ${mode}`);
      expect(message).toContain('marketplace');
      expect(place.all()).toEqual({});
    }
  });
});
