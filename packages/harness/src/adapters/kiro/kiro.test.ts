import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { planArtifacts } from '../../plan.ts';
import type { Plan } from '../../planned.ts';
import { kiro } from './index.ts';

function plan(keys: string): Plan {
  const artifact = artifactOf('ops/sample', {
    'ARTIFACT.md': `---\nversion: 1.0.0\ndescription: A sample.\n${keys}---\nProse.\n`,
  });
  return planArtifacts([artifact], kiro, { on_clash: 'fail' });
}

function textAt(path: string, { files }: Plan): string {
  return new TextDecoder().decode(files.find((file) => file.path === path)?.bytes);
}

describe('Kiro agent', () => {
  const PATH = '.kiro/agents/sample.md';

  test('is written as Markdown with tool categories and tools of servers', () => {
    const written = plan(
      'type: agent\nmodel: claude-sonnet-4\ntools: Read, Grep, Write, Bash, mcp__wh__query, mcp__docs, context\n',
    );
    expect(textAt(PATH, written)).toBe(
      '---\ndescription: A sample.\nmodel: claude-sonnet-4\ntools:\n  - read\n  - write\n  - shell\n  - "@wh/query"\n  - "@docs"\n  - context\n---\nProse.\n',
    );
    expect(written.fallbacks).toEqual([]);
  });

  test('without a tool list is written with all tools explicitly', () => {
    expect(textAt(PATH, plan('type: agent\n'))).toContain('tools:\n  - "*"\n');
  });

  test('has its servers with secrets from the environment', () => {
    const written = plan(
      'type: agent\nmcpServers:\n  - name: wh\n    command: npx\n    args: [wh]\n    env: {TOKEN: "${secret:WH_TOKEN}"}\n',
    );
    expect(textAt(PATH, written)).toContain(
      'mcpServers:\n  wh:\n    command: npx\n    args:\n      - wh\n    env:\n      TOKEN: "${WH_TOKEN}"\n',
    );
  });

  test.each([
    ['Edit', 'Kiro allows tools by category, so Edit opens all of write'],
    ['Read, Bash(git log:*)', 'the harness does not support Bash(git log:*)'],
  ])('with the tools %s has a warning', (tools, reason) => {
    const { fallbacks } = plan(`type: agent\ntools: ${tools}\n`);
    expect(fallbacks.map((one) => one.reason)).toEqual([expect.stringContaining(reason)]);
  });

  test('does not receive a tool that is limited to some commands', () => {
    const written = plan('type: agent\ntools: Read, Bash(git log:*)\n');
    expect(textAt(PATH, written)).toContain('tools:\n  - read\n---');
  });
});

describe('Kiro hook', () => {
  test('is written as a v1 file without a matcher', () => {
    const written = plan(
      'type: hook\nhook_event: pre_tool_use\nhook_action: check\nhook_timeout: 10\nhook_matcher: Bash\n',
    );
    expect(JSON.parse(textAt('.kiro/hooks/sample.json', written))).toEqual({
      version: 'v1',
      hooks: [
        {
          name: 'ops/sample',
          trigger: 'PreToolUse',
          action: {
            type: 'command',
            command: expect.stringMatching(/pre_tool_use ops\/sample check 10 Bash$/),
          },
          timeout: 15,
          enabled: true,
        },
      ],
    });
    expect(written.files.map(({ path }) => path)).toContain('.catalog/hooks/kiro.mjs');
  });

  test('warns at the end of a turn that the hook cannot stop it', () => {
    const { fallbacks } = plan('type: hook\nhook_event: stop\nhook_action: check\n');
    expect(fallbacks.map(({ reason }) => reason)).toEqual([
      'the hook is notified and cannot stop it',
    ]);
  });

  test('is rejected if Kiro does not have its event', () => {
    const { unsupported } = plan('type: hook\nhook_event: pre_compact\nhook_action: check\n');
    expect(unsupported).toHaveLength(1);
  });
});
