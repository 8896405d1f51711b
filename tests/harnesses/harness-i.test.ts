import { describe, expect } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { expectRefused } from './expect-refused.ts';
import { deliver } from './place.ts';
import { CONTEXT, RULE, catalogOf, rule } from './samples.ts';

describe('harness-i', () => {
  const attributes: [string, string, string][] = [
    ['RULE-11', 'always', 'alwaysApply: true\n'],
    ['RULE-12', 'glob', 'globs: "deploy/**"\n'],
    ['RULE-13', 'auto', 'description: "When shipping."\n'],
    ['RULE-14', 'explicit', ''],
  ];
  for (const [row, mode, keys] of attributes) {
    verifies(
      ['HI-01', row],
      `writes a rule with mode ${mode} as an .mdc file of the IDE`,
      async () => {
        const place = await deliver('harness-i', { 'ops/no-friday/ARTIFACT.md': rule(mode) });
        expect(place.tree()).toEqual({
          '.harness-d/rules/no-friday.mdc': `---\n${keys}---\n${RULE}`,
        });
      },
    );
  }

  verifies('DROP-01', 'omits the bundled files of a rule that is one file', async () => {
    const files = {
      'harness-a': '.harness-a/rules/no-friday.md',
      'harness-d': '.harness-d/rules/no-friday.mdc',
      'harness-i': '.harness-d/rules/no-friday.mdc',
    };
    for (const [harness, file] of Object.entries(files)) {
      const place = await deliver(harness, catalogOf('rule'));
      expect(Object.keys(place.tree())).toEqual([file]);
    }
  });

  verifies('HI-02', 'writes context under its id', async () => {
    const place = await deliver('harness-i', catalogOf('context'));
    expect(place.tree()['.catalog/context/ops/terms/ARTIFACT.md']).toBe(CONTEXT);
  });

  verifies('HI-03', 'rejects a skill in a workspace', () => expectRefused('harness-i', 'skill'));
  verifies('HI-04', 'rejects a command in a workspace', () =>
    expectRefused('harness-i', 'command'),
  );
  verifies('HI-05', 'rejects a hook in a workspace', () => expectRefused('harness-i', 'hook'));
  verifies('HI-06', 'rejects a server in a workspace', () =>
    expectRefused('harness-i', 'mcp-server'),
  );
  verifies('HI-07', 'rejects an agent', () => expectRefused('harness-i', 'agent'));
});
