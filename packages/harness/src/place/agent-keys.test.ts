import { artifactOf } from '@catalog/testkit/authored-package';
import type { Artifact } from '@catalog/core/artifact/types';
import { expect, test } from 'vitest';
import { fullModelName, mappedTools } from './agent-keys.ts';

function agent(keys: string): Artifact {
  return artifactOf('ops/bot', {
    'ARTIFACT.md': `---\ntype: agent\nversion: 1.0.0\n${keys}---\nProse.\n`,
  });
}

const names = new Map([
  ['Read', 'view'],
  ['Edit', 'change'],
  ['Write', 'change'],
  ['Bash', 'run'],
]);

test('maps tools to unique product names without widening them', () => {
  expect(mappedTools(agent('tools: Read, Edit, Write\n'), names)).toEqual(['view', 'change']);
  expect(mappedTools(agent('tools: [Read, mcp__x, "Bash(git *)"]\n'), names)).toEqual(['view']);
  expect(mappedTools(agent('tools: [WebFetch]\n'), names)).toEqual([]);
  expect(mappedTools(agent(''), names)).toBeUndefined();
});

test('keeps a full model name and omits a short one', () => {
  expect(fullModelName(agent('model: gpt-6\n'))).toBe('gpt-6');
  expect(fullModelName(agent('model: sonnet\n'))).toBeUndefined();
  expect(fullModelName(agent(''))).toBeUndefined();
});
