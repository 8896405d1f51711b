import { describe, expect } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { expectRefused } from './expect-refused.ts';
import { deliver, openPlace } from './place.ts';
import { CONTEXT, catalogueOf, rule } from './samples.ts';

describe('harness-c', () => {
  verifies('HC-01', 'takes context', async () => {
    const place = await deliver('harness-c', catalogueOf('context'));
    expect(place.tree()).toEqual({
      '.catalog/context/ops/terms/ARTIFACT.md': CONTEXT,
      '.catalog/context/ops/terms/more.md': 'More.\n',
    });
  });

  verifies('HC-02', 'takes no skill', () => expectRefused('harness-c', 'skill'));
  verifies('HC-03', 'takes no agent', () => expectRefused('harness-c', 'agent'));
  verifies('HC-04', 'takes no command', () => expectRefused('harness-c', 'command'));
  verifies('HC-05', 'takes no rule', () => expectRefused('harness-c', 'rule'));
  verifies('HC-06', 'takes no hook', () => expectRefused('harness-c', 'hook'));
  verifies('HC-07', 'takes no mcp-server', () => expectRefused('harness-c', 'mcp-server'));

  verifies('RULE-06', 'takes a rule of any mode by the marketplace only', async () => {
    for (const mode of ['always', 'glob', 'auto', 'explicit']) {
      const place = openPlace('harness-c', { 'ops/no-friday/ARTIFACT.md': rule(mode) });
      const { message } = await place.refusal();
      expect(message).toContain(`rule_mode ${mode}`);
      expect(message).toContain('marketplace');
      expect(place.all()).toEqual({});
    }
  });
});
