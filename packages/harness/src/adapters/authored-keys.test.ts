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
  test.each(KEYS)('writes, rejects or warns about a key that narrows an %s: %s', (type, key) => {
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

test('makes an agent with read-only tools read-only if the product has no tool list', () => {
  const reading = sample('agent', 'tools: [Read, Grep]\n');
  expect(textOf(plan(reading, codex))).toContain('sandbox_mode = "read-only"\n');
  expect(textOf(plan(reading, cursor))).toContain('readonly: true\n');
  const writing = sample('agent', 'tools: [Read, Edit]\n');
  expect(textOf(plan(writing, codex))).not.toContain('sandbox_mode');
  expect(reasonsOf(codex, 'tools: [Read, Edit]\nmodel: sonnet\n')).toEqual([
    'the harness cannot limit the tools of an agent, so the agent may use every tool of the session',
    'the model sonnet is not written, so that of the session is used',
  ]);
});

test('does not warn about keys that have their default value', () => {
  expect(reasonsOf(codex, 'model: inherit\npermissionMode: default\nreadonly: false\n')).toEqual(
    [],
  );
});

test('names tools that are unsupported or widened', () => {
  expect(reasonsOf(geminiCli, 'tools: [Read, Task, "Bash(git log:*)"]\n')).toEqual([
    'the harness does not support Task, so the agent cannot use it; Bash(git log:*) becomes the whole tool, and Gemini CLI asks the user each time',
  ]);
  expect(reasonsOf(opencode, 'tools: [Read, Teleport, "Bash(git log:*)"]\n')).toEqual([
    'the harness has no permission for Teleport, so the agent cannot use it; the user is asked before each command that Bash(git log:*) allows',
  ]);
});

const claudeCode = loadAdapter('claude-code');
const qwen = loadAdapter('qwen');

describe('maps of tools and permissions', () => {
  test.each<[HarnessAdapter, string, string]>([
    [claudeCode, 'tools: {bash: false}', 'disallowedTools: Bash\n'],
    [claudeCode, 'tools: {"*": false, read: true}', 'tools: Read\n'],
    [
      claudeCode,
      'permission: {edit: deny}',
      'disallowedTools: "Edit, MultiEdit, Write, NotebookEdit"\n',
    ],
    [qwen, 'permission: {bash: deny}', 'disallowedTools:\n  - run_shell_command\n'],
    [geminiCli, 'tools: [Read, Bash]\ndisallowedTools: [Bash]', 'tools:\n  - read_file\n'],
    [cursor, 'permission: {edit: deny, bash: deny}', 'readonly: true\n'],
  ])('%#: writes $1 as $2', (adapter, keys, written) => {
    expect(textOf(plan(sample('agent', `${keys}\n`), adapter))).toContain(written);
  });

  test('reports limits that a product does not support', () => {
    expect(
      reasonsOf(claudeCode, 'permission: {edit: ask, bash: {"*": ask, "git *": allow}}\n'),
    ).toEqual([
      'the user is not asked before Edit, MultiEdit, Write, NotebookEdit; ask for it in the prose; `permission` limits some uses of bash, and the agent may use all',
    ]);
    expect(reasonsOf(geminiCli, 'tools: {bash: false}\n')).toEqual([
      'the harness cannot deny tools to an agent, so the agent may use Bash',
    ]);
    expect(reasonsOf(loadAdapter('copilot'), 'permission: {bash: deny}\n')).toEqual([
      '`permission` denies Bash, which is not written, so the agent may use them',
    ]);
  });
});

describe('unsupported keys', () => {
  test('reports the consequence if the key runs or limits something', () => {
    expect(
      reasonsOf(geminiCli, 'hooks: {Stop: []}\nmaxBudget: 3\npermissions: {allow: [Bash]}\n'),
    ).toEqual([
      '`hooks` is not written, so they do not run; deliver each as a hook artifact',
      '`maxBudget` is not written, so what it limits stays as in the session',
      '`permissions` is not written, so what it runs or grants does not take effect',
    ]);
  });

  test('reports other keys in one minor warning per artifact', () => {
    const agent = sample('agent', 'color: blue\ntop_p: 0.5\nx-team: data\n');
    expect(plan(agent, geminiCli).fallbacks).toEqual([
      {
        artifact_id: 'ops/sample',
        capability: 'type:agent',
        reason: '`color`, `top_p`, `x-team` are not written',
        minor: true,
      },
    ]);
  });

  test('reports keys of rules, hooks and servers', () => {
    const reasons = (type: string, keys: string): string[] =>
      plan(sample(type, keys), claudeCode).fallbacks.map(({ reason }) => reason);
    expect(reasons('rule', 'globs: "*.ts"\n')).toEqual([
      '`globs` is not written, so it does not limit the rule to files; use `rule_globs`',
    ]);
    expect(reasons('hook', 'hook_event: stop\nhook_action: "true"\nmatcher: Bash\n')).toEqual([
      '`matcher` is not written, so the hook runs for every tool; use `hook_matcher`',
    ]);
    expect(reasons('mcp-server', 'command: x\ncwd: lib\n')).toEqual([
      '`cwd` is not written, so the server starts in the directory that the harness chooses',
    ]);
  });
});

test('reports a model that Cursor does not have', () => {
  expect(reasonsOf(cursor, 'model: sonnet\n')).toEqual([
    'Cursor has no model sonnet, so `inherit` is written and the model of the session is used',
  ]);
  expect(reasonsOf(cursor, 'model: haiku\n')).toEqual([]);
});
