import { expect, test } from 'vitest';
import { howToUse } from './how-to-use.ts';

test.each([
  ['skill', 'Read /w/x/SKILL.md now and follow it; harness-a loads'],
  ['agent', 'The agent name is in /w/x/SKILL.md; harness-a loads'],
  ['command', 'The command name is in /w/x/SKILL.md'],
  ['rule', 'Read /w/x/SKILL.md and follow ops/name from now on'],
  ['context', 'Read /w/x/SKILL.md and the other files in `materialized_at` when you need'],
  ['hook', 'it runs from the next start of harness-a.'],
  ['mcp-server', 'Tell the user to restart harness-a'],
  ['dataset', 'ops/name has the type dataset: see /w/x/SKILL.md and the other files'],
])('howToUse describes how a model uses a %s', (type, sentence) => {
  const artifact = { id: 'ops/name', type, name: 'name' };
  const files = ['/w/x/a.md', '/w/x/SKILL.md'];
  expect(howToUse(artifact, 'harness-a', files)).toContain(sentence);
});
