import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { planArtifacts } from '../../plan.ts';
import type { Plan } from '../../planned.ts';
import { claudeCode } from './index.ts';

function artifact(id: string, keys: string, body = 'Prose.\n'): Artifact {
  return artifactOf(id, { 'ARTIFACT.md': `---\nversion: 1.0.0\n${keys}---\n${body}` });
}

function plan(given: Artifact, adapter = claudeCode): Plan {
  return planArtifacts([given], adapter, { on_clash: 'fail' });
}

function written(given: Artifact): { path: string | undefined; text: string } {
  const [file] = plan(given).files;
  return { path: file?.path, text: new TextDecoder().decode(file?.bytes) };
}

function keysOf(given: Artifact): unknown {
  return load(written(given).text.split('---\n')[1] ?? '');
}

describe('agents', () => {
  const AGENT = 'type: agent\ndescription: Sort incidents.\n';

  test('writes an agent with keys of the product only', () => {
    const agent = artifact(
      'ops/triager',
      `${AGENT}name: other\ntags: [ops]\nsensitivity: low\neffort_hint: max\nmodel_class_hint: large\nmaxTurns: 4\ntools: [Read, "Bash(git add, git commit)"]\n`,
      'You triage.\n',
    );
    expect(written(agent)).toEqual({
      path: '.claude/agents/triager.md',
      text: '---\nname: triager\ndescription: Sort incidents.\ntools: "Read, Bash(git add, git commit)"\nmodel: opus\neffort: max\nmaxTurns: 4\n---\nYou triage.\n',
    });
  });

  test.each([
    ['model: claude-sonnet-4-5\nmodel_class_hint: nano\n', 'claude-sonnet-4-5'],
    ['model: inherit\n', 'inherit'],
    ['model: gpt-5\nmodel_class_hint: nano\n', 'haiku'],
    ['model: gpt-5\n', undefined],
    ['model_class_hint: small\n', 'haiku'],
    ['model_class_hint: medium\n', 'sonnet'],
    ['model_class_hint: frontier\n', 'opus'],
  ])('writes for %j a model of the product or none', (keys, model) => {
    expect(keysOf(artifact('ops/triager', AGENT + keys))).toEqual({
      name: 'triager',
      description: 'Sort incidents.',
      ...(model === undefined ? {} : { model }),
    });
  });

  test('writes the servers of an agent, with a type for URLs', () => {
    const servers = `mcpServers:
  - {name: wh, command: npx, args: [-y, wh-mcp], env: {REGION: eu, WH_KEY: "\${secret:WH_KEY}"}}
  - {name: tickets, url: "https://t.example/mcp", transport: sse}
`;
    expect(keysOf(artifact('ops/triager', AGENT + servers))).toMatchObject({
      mcpServers: [
        { wh: { command: 'npx', args: ['-y', 'wh-mcp'], env: { REGION: 'eu' } } },
        { tickets: { type: 'sse', url: 'https://t.example/mcp' } },
      ],
    });
    expect(plan(artifact('ops/triager', AGENT + servers)).fallbacks).toEqual([]);
  });

  test.each([
    'command: wh-mcp, env: {KEY: "${secret:WH_KEY}"}',
    'command: wh-mcp, args: ["${secret:WH_KEY}"]',
    'url: "https://t.example/mcp", headers: {Authorization: "Bearer ${secret:WH_KEY}"}',
  ])('rejects an agent with a secret that would stay a literal reference: %s', (server) => {
    const keys = `mcpServers: [{name: wh, ${server}}]\n`;
    expect(plan(artifact('ops/triager', AGENT + keys)).unsupported).toMatchObject([
      {
        reason: expect.stringMatching(
          /^its server wh: Claude Code expands no environment variables in the file of an agent; .*deliver the server as an mcp-server artifact$/,
        ),
      },
    ]);
  });

  test('does not write permission modes and hooks of an agent', () => {
    const keys =
      'permissionMode: bypassPermissions\nhooks: {Stop: [{hooks: [{type: command, command: x}]}]}\n';
    expect(keysOf(artifact('ops/triager', AGENT + keys))).toEqual({
      name: 'triager',
      description: 'Sort incidents.',
    });
  });

  test('rejects an agent without a description, because Claude Code would ignore it', () => {
    expect(plan(artifact('ops/triager', 'type: agent\n')).unsupported).toMatchObject([
      { reason: 'Claude Code ignores an agent without a description; write one' },
    ]);
  });
});

test('warns about mcpServers in an artifact that is not an agent', () => {
  const keys = 'type: command\nmcpServers: [{name: wh, command: wh-mcp}]\n';
  expect(plan(artifact('ops/ship', keys)).fallbacks).toMatchObject([
    { capability: 'field:mcpServers' },
  ]);
});

describe('commands', () => {
  test('writes command arguments counted from zero and escapes prices', () => {
    const command = artifact(
      'ops/ship',
      'type: command\ndescription: "Ship: now."\nargument-hint: "[tag]"\nallowed-tools: Bash(git tag *)\n',
      'Ship $ARGUMENTS, tag $1 of $9; it costs $5.99, $100 or $0.\n',
    );
    expect(written(command)).toEqual({
      path: '.claude/commands/ship.md',
      text: String.raw`---
description: "Ship: now."
argument-hint: "[tag]"
allowed-tools: Bash(git tag *)
---
Ship $ARGUMENTS, tag $0 of $8; it costs \$5.99, \$100 or \$0.
`,
    });
  });
});

test('keeps disable-model-invocation of a command', () => {
  const command = artifact(
    'ops/ship',
    'type: command\ndisable-model-invocation: true\n',
    'Ship.\n',
  );
  expect(written(command).text).toBe('---\ndisable-model-invocation: true\n---\nShip.\n');
});

test('warns about an agent whose tools are limited to some uses', () => {
  const reasons = (tools: string): string[] =>
    plan(
      artifact('ops/triager', `type: agent\ndescription: Sort incidents.\ntools: ${tools}\n`),
    ).fallbacks.map(({ reason }) => reason);
  expect(reasons('Read, Bash(git log:*), Edit(docs/**)')).toEqual([
    'Claude Code does not enforce Bash(git log:*), Edit(docs/**) under bypassPermissions, where the agent may use the whole tool',
  ]);
  expect(reasons('Read, Bash, Agent(helper), mcp__wh__query')).toEqual([]);
});

describe('hooks', () => {
  const hook = artifact(
    'ops/guard',
    'type: hook\nhook_event: pre_shell_execution\nhook_action: "./check \'it\'"\nhook_timeout: 20\n',
  );

  test('runs hooks with the script, with a longer timeout in the settings than in the script', () => {
    const { files, entries } = plan(hook);
    expect(files.map(({ path }) => path)).toEqual(['.catalog/hooks/claude-code.mjs']);
    expect(entries).toMatchObject([
      {
        path: '.claude/settings.json',
        entry: {
          container: ['hooks', 'PreToolUse'],
          recorded: 'file',
          value: {
            matcher: '^(Bash|PowerShell)$',
            hooks: [
              {
                type: 'command',
                command: String.raw`node "$CLAUDE_PROJECT_DIR"/.catalog/hooks/claude-code.mjs pre_shell_execution ops/guard './check '\''it'\''' 20`,
                timeout: 25,
              },
            ],
            'x-catalog-id': 'ops/guard',
          },
        },
      },
    ]);
  });

  test.each([
    ['pre_tool_use', 'Edit|Write'],
    // The event implies the tool.
    ['pre_read_file', '^Read$'],
  ])('writes a hook_matcher on %s as %s', (event, matcher) => {
    const { entries } = plan(
      artifact(
        'ops/guard',
        `type: hook\nhook_event: ${event}\nhook_action: check\nhook_matcher: Edit|Write\n`,
      ),
    );
    expect(entries).toMatchObject([{ entry: { value: { matcher } } }]);
  });

  test('writes the path of the script in the home directory for user hooks', () => {
    const [entry] = plan(hook, claudeCode.user).entries;
    expect(JSON.stringify(entry)).toContain('node \\"$HOME\\"/.catalog/hooks/claude-code.mjs');
  });
});

describe('servers', () => {
  function entryOf(keys: string, adapter = claudeCode): object | undefined {
    return plan(artifact('ops/tickets', `type: mcp-server\n${keys}`), adapter).entries[0];
  }

  test('writes a type for every remote server', () => {
    expect(entryOf('server_identifier: "https://t.example/mcp"\n')).toMatchObject({
      path: '.mcp.json',
      entry: { key: 'tickets', value: { type: 'http', url: 'https://t.example/mcp' } },
    });
    expect(entryOf('url: "wss://t.example"\ntransport: ws\n')).toMatchObject({
      entry: { value: { type: 'ws' } },
    });
  });

  test("writes user servers to the product's own file without a mark", () => {
    expect(entryOf('command: tickets-mcp\n', claudeCode.user)).toMatchObject({
      path: '.claude.json',
      entry: { recorded: 'lock', value: { command: 'tickets-mcp' } },
    });
  });
});
