import { artifactOf } from '@catalog/testkit/authored-package';
import type { Artifact } from '@catalog/core/artifact/types';
import { describe, expect, test } from 'vitest';
import type { HarnessAdapter } from '../adapter.ts';
import { planArtifacts } from '../plan.ts';
import type { Plan } from '../planned.ts';
import { adapters, loadAdapter } from '../registry.ts';
import { codex } from './codex/index.ts';
import { cursor } from './cursor/index.ts';
import { geminiCli } from './gemini-cli/index.ts';
import { opencode } from './opencode/index.ts';

function sample(type: string, keys = ''): Artifact {
  const head = `---\ntype: ${type}\nversion: 1.0.0\ndescription: A sample.\n${keys}---\n`;
  return artifactOf('ops/sample', { 'ARTIFACT.md': `${head}Prose.\n` });
}

function plan(artifact: Artifact, adapter: HarnessAdapter): Plan {
  return planArtifacts([artifact], adapter, { on_clash: 'fail' });
}

function textOf(planned: Plan): string {
  return planned.files.map(({ bytes }) => Buffer.from(bytes).toString()).join('');
}

const columns = [...adapters.keys()].flatMap((id): [string, HarnessAdapter][] => [
  [id, loadAdapter(id)],
  [`${id} in the home folder`, loadAdapter(id, 'user')],
]);

const KEYS = [
  ['agent', 'tools: [Read, Grep]'],
  ['agent', 'tools: [Read, Bash]'],
  ['agent', 'disallowedTools: [Bash]'],
  ['agent', 'permissionMode: plan'],
  ['agent', 'readonly: true'],
  ['agent', 'model: sonnet'],
  ['agent', 'model: a-model-of-nobody'],
  ['command', 'allowed-tools: [Read]'],
  ['command', 'model: sonnet'],
] as const;

describe.each(columns)('%s', (_, adapter) => {
  test.each(KEYS)('writes, warns of or refuses what narrows an %s: %s', (type, key) => {
    const narrowed = plan(sample(type, `${key}\n`), adapter);
    if (narrowed.unsupported.length > 0) return;
    const reasons = narrowed.fallbacks.map(({ reason }) => reason);
    if (reasons.length === 0) {
      expect(textOf(narrowed)).not.toBe(textOf(plan(sample(type), adapter)));
    }
    expect(plan(sample(type), adapter).fallbacks).toEqual([]);
    for (const reason of reasons) expect(reason).toMatch(/[^.]$/);
  });
});

function reasonsOf(adapter: HarnessAdapter, keys: string): string[] {
  return plan(sample('agent', keys), adapter).fallbacks.map(({ reason }) => reason);
}

test('an agent whose tools only read asks to be read-only where there is no list of tools', () => {
  const reading = sample('agent', 'tools: [Read, Grep]\n');
  expect(textOf(plan(reading, codex))).toContain('sandbox_mode = "read-only"\n');
  expect(textOf(plan(reading, cursor))).toContain('readonly: true\n');
  const writing = sample('agent', 'tools: [Read, Edit]\n');
  expect(textOf(plan(writing, codex))).not.toContain('sandbox_mode');
  expect(reasonsOf(codex, 'tools: [Read, Edit]\nmodel: sonnet\n')).toEqual([
    'there is no list of tools, so the agent may use every tool of the session',
    'the model sonnet is not written, so that of the session is used',
  ]);
});

test('what says no more than holds anyway is no news', () => {
  expect(reasonsOf(codex, 'model: inherit\npermissionMode: default\nreadonly: false\n')).toEqual(
    [],
  );
});

test('a tool that is taken otherwise is named', () => {
  expect(reasonsOf(geminiCli, 'tools: [Read, Task, "Bash(git log:*)"]\n')).toEqual([
    'there is no equivalent of Task, so the agent does without; Bash(git log:*) becomes the whole tool, and the person is asked each time',
  ]);
  expect(reasonsOf(opencode, 'tools: [Read, Teleport, "Bash(git log:*)"]\n')).toEqual([
    'there is no permission for Teleport, so none is given; the person is asked before each command that Bash(git log:*) allows',
  ]);
});
