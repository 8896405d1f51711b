import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import type { Json } from '@catalog/core/json';
import { planArtifacts } from '../plan.ts';
import type { Plan } from '../planned.ts';
import { loadAdapter } from '../registry.ts';

function plan(harness: string, keys: string, scope?: 'user'): Plan {
  const manifest = `---\ntype: mcp-server\nversion: 1.0.0\ncommand: wh\n${keys}---\n`;
  const artifact = artifactOf('ops/wh', { 'ARTIFACT.md': manifest });
  return planArtifacts(
    [artifact],
    scope === undefined ? loadAdapter(harness) : loadAdapter(harness, scope),
    { on_clash: 'fail' },
  );
}

function valuesOf({ entries }: Plan): Json[] {
  return entries.map(({ entry }) => entry.value);
}

const LIMITS = 'allowed_tools: [query, list]\ndenied_tools: [list]\ntimeout: 30\n';

describe('limits of an MCP server', () => {
  test.each<[string, 'user' | undefined, object]>([
    [
      'codex',
      undefined,
      { enabled_tools: ['query', 'list'], disabled_tools: ['list'], tool_timeout_sec: 30 },
    ],
    [
      'gemini-cli',
      undefined,
      { includeTools: ['query', 'list'], excludeTools: ['list'], timeout: 30_000 },
    ],
    [
      'qwen',
      undefined,
      { includeTools: ['query', 'list'], excludeTools: ['list'], timeout: 30_000 },
    ],
    ['hermes', 'user', { tools: { include: ['query', 'list'], exclude: ['list'] }, timeout: 30 }],
    ['copilot', 'user', { tools: ['query'], timeout: 30_000 }],
    ['kiro', undefined, { disabledTools: ['list'] }],
    ['antigravity', undefined, { disabledTools: ['list'] }],
    ['opencode', undefined, { timeout: 30_000 }],
  ])('are written in the format of %s', (harness, scope, members) => {
    expect(valuesOf(plan(harness, LIMITS, scope))).toEqual([expect.objectContaining(members)]);
  });

  test('do not change an entry without limits', () => {
    expect(valuesOf(plan('codex', ''))).toEqual([{ command: 'wh' }]);
  });
});

test.each([
  [
    'cursor',
    [
      '`allowed_tools` is not written, so the server offers all its tools',
      '`denied_tools` is not written, so the server offers list',
      '`timeout` is not written, so the time limit of the harness applies',
    ],
  ],
  ['codex', []],
  [
    'kiro',
    [
      '`allowed_tools` is not written, so the server offers all its tools',
      '`timeout` is not written, so the time limit of the harness applies',
    ],
  ],
  ['claude-code', ['Claude Code offers all tools of the server; its settings can deny them']],
])('server limits that are unsupported are reported by %s', (harness, reasons) => {
  expect(plan(harness, LIMITS).fallbacks.map(({ reason }) => reason)).toEqual(reasons);
});

test('server limits are written to the shared entry of Claude Code and Copilot', () => {
  const [claude] = valuesOf(plan('claude-code', LIMITS));
  const [copilot] = valuesOf(plan('copilot', LIMITS));
  expect(claude).toEqual({ command: 'wh', tools: ['query'], timeout: 30_000 });
  expect(copilot).toEqual(claude);
});
