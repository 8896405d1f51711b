import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { load } from 'js-yaml';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { planArtifacts } from '../../plan.ts';
import type { Plan } from '../../planned.ts';
import { geminiCli } from './index.ts';
import { toolNames } from './tool-names.ts';

function artifact(id: string, keys: string, body = 'Prose.\n'): Artifact {
  return artifactOf(id, { 'ARTIFACT.md': `---\nversion: 1.0.0\n${keys}---\n${body}` });
}

function plan(given: Artifact, adapter = geminiCli): Plan {
  return planArtifacts([given], adapter, { on_clash: 'fail' });
}

function written(given: Artifact): { path: string | undefined; text: string } {
  const [file] = plan(given).files;
  return { path: file?.path, text: new TextDecoder().decode(file?.bytes) };
}

describe('agents', () => {
  const AGENT = 'type: agent\ndescription: Sort incidents.\n';

  function keysOf(id: string, keys: string): unknown {
    return load(written(artifact(id, AGENT + keys)).text.split('---\n')[1] ?? '');
  }

  test('writes an agent with keys of the product only', () => {
    const keys =
      'tags: [ops]\nsensitivity: low\nmodel_class_hint: large\nmodel: opus\ntools: Read, Bash\nmaxTurns: 4\ntemperature: 0.2\n';
    expect(keysOf('ops/triager', keys)).toEqual({
      name: 'triager',
      description: 'Sort incidents.',
      kind: 'local',
      tools: ['read_file', 'run_shell_command'],
      temperature: 0.2,
      max_turns: 4,
    });
    expect(keysOf('ops/triager', 'model: gemini-3-pro\n')).toMatchObject({ model: 'gemini-3-pro' });
  });

  test('converts the agent name to a valid tool name and keeps it as display_name', () => {
    expect(keysOf('ops/Größter.1', '')).toMatchObject({
      name: 'gr-ter-1',
      display_name: 'Größter.1',
    });
  });

  test('writes the servers of an agent in the format of agents', () => {
    const servers =
      'mcpServers: [{name: t, url: "https://t.example"}, {name: e, url: "https://e.example", transport: sse}]\n';
    expect(keysOf('ops/triager', servers)).toMatchObject({
      mcp_servers: { t: { http_url: 'https://t.example' }, e: { url: 'https://e.example' } },
    });
  });

  test('rejects an agent with servers that need a secret, because the secret would be empty', () => {
    const servers =
      'mcpServers: [{name: t, url: "https://t.example", headers: {X-Key: "${secret:T_KEY}"}}]\n';
    const keys = `type: agent\ndescription: Sort incidents.\n${servers}`;
    expect(plan(artifact('ops/triager', keys)).unsupported).toMatchObject([
      {
        reason:
          'its server t: Gemini CLI blanks secrets such as T_KEY in the servers of an agent; deliver the server as an mcp-server artifact',
      },
    ]);
  });

  test('rejects an agent without a description', () => {
    expect(plan(artifact('ops/triager', 'type: agent\n')).unsupported).toMatchObject([
      { reason: 'Gemini CLI ignores an agent without a description; write one' },
    ]);
  });
});

test("converts tools to the product's names and omits unsupported tools", () => {
  const tools = ['Bash(git log:*)', 'Edit', 'MultiEdit', 'Task', 'NotebookEdit', 'grep_search'];
  expect(toolNames(tools)).toEqual(['run_shell_command', 'replace', 'grep_search']);
  expect(
    toolNames(['mcp__wh__query', 'mcp__wh', 'mcp__wh__*', 'mcp_wh_query', 'mcp__*', '*']),
  ).toEqual(['mcp_wh_query', 'mcp_wh_*', 'mcp_*', '*']);
});

test('writes a command as TOML with the placeholder for all arguments, and warns about other placeholders', () => {
  const command = artifact(
    'ops/ship',
    'type: command\ndescription: "Ship \\"it\\"."\n',
    "Ship $ARGUMENTS\n'''then''' $2.\n",
  );
  const { path, text } = written(command);
  expect(path).toBe('.gemini/commands/ship.toml');
  expect(parse(text)).toEqual({
    description: 'Ship "it".',
    prompt: "Ship {{args}}\n'''then''' $2.\n",
  });
  expect(plan(command).fallbacks).toEqual([
    {
      artifact_id: 'ops/ship',
      capability: 'type:command',
      reason: 'the harness has no placeholder for $2, so the prompt contains it unchanged',
    },
  ]);
});

test("writes hooks with timeouts in milliseconds and the product's tool names", () => {
  const keys = 'type: hook\nhook_event: pre_read_file\nhook_action: ./check\nhook_timeout: 20\n';
  expect(plan(artifact('ops/guard', keys)).entries).toMatchObject([
    {
      path: '.gemini/settings.json',
      entry: {
        container: ['hooks', 'BeforeTool'],
        value: {
          matcher: '^(read_file|read_many_files)$',
          hooks: [
            {
              type: 'command',
              command: 'node .catalog/hooks/gemini-cli.mjs pre_read_file ops/guard ./check 20',
              timeout: 25_000,
            },
          ],
        },
      },
    },
  ]);
});

describe('servers', () => {
  function valueOf(keys: string): unknown {
    return plan(artifact('ops/wh', `type: mcp-server\n${keys}`)).entries[0]?.entry.value;
  }

  test('writes the URL of a server under the key of its transport', () => {
    expect(valueOf('url: https://wh.example\ntransport: http\n')).toEqual({
      httpUrl: 'https://wh.example',
    });
    expect(valueOf('url: https://wh.example\ntransport: sse\n')).toEqual({
      url: 'https://wh.example',
    });
    expect(valueOf('command: wh-mcp\nenv: {KEY: "${secret:KEY}"}\n')).toEqual({
      command: 'wh-mcp',
      env: { KEY: '${KEY}' },
    });
  });

  test('rejects servers with an unsupported transport', () => {
    const keys = 'type: mcp-server\nurl: wss://wh.example\ntransport: ws\n';
    expect(plan(artifact('ops/wh', keys)).unsupported[0]?.reason).toContain('no transport ws');
  });
});

test("gemini-cli writes user rules to the user's file", () => {
  const rule = artifact('ops/no-friday', 'type: rule\n');
  expect(plan(rule).entries[0]?.path).toBe('GEMINI.md');
  expect(plan(rule, geminiCli.user).entries[0]?.path).toBe('.gemini/GEMINI.md');
});
