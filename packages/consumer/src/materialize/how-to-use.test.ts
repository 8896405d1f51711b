import { expect, test } from 'vitest';
import { howToUse } from './how-to-use.ts';

test.each([
  ['skill', 'Read /w/x/SKILL.md now and follow it; harness-a finds'],
  ['agent', 'The agent name is in /w/x/SKILL.md; harness-a finds'],
  ['command', 'The command name is in /w/x/SKILL.md'],
  ['rule', 'Read /w/x/SKILL.md and keep to what ops/name says there'],
  ['context', 'Read /w/x/SKILL.md and the other files of `materialized_at` where you need'],
  ['hook', 'it runs from the next start of harness-a on'],
  ['mcp-server', 'tell the person to restart harness-a'],
  ['dataset', 'ops/name is of the type dataset: see /w/x/SKILL.md and the other files'],
])('a model is told how to use a %s', (type, sentence) => {
  const artifact = { id: 'ops/name', type, name: 'name' };
  const files = ['/w/x/a.md', '/w/x/SKILL.md'];
  expect(howToUse(artifact, 'harness-a', files)).toContain(sentence);
});
