import type { Artifact } from '@catalog/core/artifact/types';
import type { Json } from '@catalog/core/json';
import { artifactOf } from '@catalog/testkit/authored-package';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { planArtifacts } from '../../plan.ts';
import type { Plan } from '../../planned.ts';
import { codex } from './index.ts';

function artifact(id: string, keys: string, body = 'Prose.\n'): Artifact {
  return artifactOf(id, { 'ARTIFACT.md': `---\nversion: 1.0.0\n${keys}---\n${body}` });
}

function plan(given: Artifact, adapter = codex): Plan {
  return planArtifacts([given], adapter, { on_clash: 'fail' });
}

describe('agents', () => {
  const AGENT = 'type: agent\ndescription: Sort "incidents".\n';

  function roleOf(keys: string): unknown {
    const [file] = plan(artifact('ops/triager', AGENT + keys, "It's\n'''yours'''.\n")).files;
    expect(file?.path).toBe('.codex/agents/triager.toml');
    return parse(new TextDecoder().decode(file?.bytes));
  }

  const ROLE = {
    name: 'triager',
    description: 'Sort "incidents".',
    developer_instructions: "It's\n'''yours'''.\n",
  };

  test('writes an agent with keys of the product only', () => {
    const keys = 'tags: [ops]\nsensitivity: low\ntools: [Read]\nmodel_class_hint: large\n';
    expect(roleOf(keys)).toEqual({ ...ROLE, sandbox_mode: 'read-only' });
    expect(roleOf('model: opus\n')).toEqual(ROLE);
    expect(roleOf('model: gpt-5.4-codex\neffort_hint: max\n')).toEqual({
      ...ROLE,
      model: 'gpt-5.4-codex',
      model_reasoning_effort: 'high',
    });
  });

  test('writes the sandbox for the profile of an agent, and never a wider one', () => {
    expect(roleOf('sandbox_profile: unrestricted\n')).toEqual(ROLE);
    for (const profile of ['read-only-fs', 'seccomp-strict']) {
      expect(roleOf(`sandbox_profile: ${profile}\n`)).toEqual({
        ...ROLE,
        sandbox_mode: 'read-only',
      });
    }
    expect(roleOf('sandbox_profile: network-isolated\n')).toEqual({
      ...ROLE,
      sandbox_mode: 'workspace-write',
      sandbox_workspace_write: { network_access: false },
    });
  });

  test('warns about limits and servers of an agent that Codex ignores', () => {
    const reasons = (keys: string): string[] =>
      plan(artifact('ops/triager', AGENT + keys)).fallbacks.map(({ reason }) => reason);
    const sandbox =
      'the sandbox is not enforced: Codex ignores `sandbox_mode` of an agent and uses the sandbox of the session';
    expect(reasons('readonly: true\n')).toEqual([sandbox]);
    expect(reasons('sandbox_profile: read-only-fs\n')).toEqual([sandbox]);
    expect(reasons('tools: [Read]\n')).toEqual([
      'the harness cannot limit the tools of an agent, so the agent may use every tool of the session',
    ]);
    expect(reasons('mcpServers: [{name: wh, command: wh-mcp}]\n')).toEqual([
      'the server is not started: Codex ignores `mcp_servers` of an agent; deliver it as an mcp-server artifact as well',
    ]);
  });

  test('writes the servers of an agent', () => {
    expect(roleOf('mcpServers: [{name: "w.h", command: npx, args: [-y, wh-mcp]}]\n')).toEqual({
      ...ROLE,
      mcp_servers: { 'w.h': { command: 'npx', args: ['-y', 'wh-mcp'] } },
    });
  });

  test.each([
    ['type: agent\n', 'Prose.\n', 'Codex ignores an agent without a description; write one'],
    [AGENT, '\n', 'Codex ignores an agent without instructions; add a prompt'],
    [
      `${AGENT}mcpServers: [{name: wh, command: wh-mcp, args: ["\${secret:K}"]}]\n`,
      'Prose.\n',
      'its server wh: Codex hands a variable on under its own name only; write K: ${secret:K} in env, and nowhere else',
    ],
  ])('rejects an agent that Codex would ignore or cannot run: %j', (keys, body, reason) => {
    expect(plan(artifact('ops/triager', keys, body)).unsupported).toMatchObject([{ reason }]);
  });
});

describe('servers', () => {
  function server(keys: string): Plan {
    return plan(artifact('ops/wh', `type: mcp-server\n${keys}`));
  }

  function valueOf(keys: string): Json | undefined {
    const [planned] = server(keys).entries;
    expect(planned?.path).toBe('.codex/config.toml');
    expect(planned?.entry).toMatchObject({ container: ['mcp_servers'], recorded: 'lock' });
    return planned?.entry.value;
  }

  test('passes secrets to a local server as environment variables', () => {
    expect(valueOf('command: wh-mcp\nenv: {REGION: eu, KEY: "${secret:KEY}"}\n')).toEqual({
      command: 'wh-mcp',
      env: { REGION: 'eu' },
      env_vars: ['KEY'],
    });
  });

  test('references environment variables in the headers of a remote server', () => {
    const headers =
      '{Authorization: "Bearer ${secret:TOKEN}", X-Key: "${secret:KEY}", X-Team: ops}';
    expect(valueOf(`url: https://wh.example/mcp\nheaders: ${headers}\n`)).toEqual({
      url: 'https://wh.example/mcp',
      bearer_token_env_var: 'TOKEN',
      env_http_headers: { 'X-Key': 'KEY' },
      http_headers: { 'X-Team': 'ops' },
    });
  });

  test.each([
    'command: wh-mcp\nenv: {KEY: "${secret:OTHER}"}\n',
    'command: wh-mcp\nenv: {KEY: "a-${secret:KEY}"}\n',
    'command: wh-mcp\nargs: ["--key=${secret:KEY}"]\n',
    'url: "https://wh.example/${secret:KEY}"\n',
    'url: https://wh.example\nheaders: {X-Key: "key ${secret:KEY}"}\n',
    'url: https://wh.example\ntransport: sse\n',
  ])('rejects a server that Codex cannot run as authored: %j', (keys) => {
    expect(server(keys)).toMatchObject({ entries: [], unsupported: [{ harness: 'codex' }] });
  });
});

describe('hooks', () => {
  function hook(event: string): Plan {
    return plan(artifact('ops/guard', `type: hook\nhook_event: ${event}\nhook_action: ./check\n`));
  }

  test('writes hook commands that work in subdirectories', () => {
    const [planned] = hook('post_file_edit').entries;
    expect(planned?.entry).toMatchObject({
      container: ['hooks', 'PostToolUse'],
      value: {
        matcher: '^(apply_patch|Edit|Write)$',
        hooks: [
          {
            type: 'command',
            command: `sh -c 'r=$PWD; until [ -e "$r/.catalog/hooks/codex.mjs" ] || [ -z "$r" ]; do r=\${r%/*}; done; exec node "$r/.catalog/hooks/codex.mjs" "$@"' catalog post_file_edit ops/guard ./check`,
          },
        ],
      },
    });
    expect(Object.keys(Object(planned?.entry.value))).not.toContain('x-catalog-id');
  });

  test('rejects hooks for events that Codex does not have', () => {
    const missing = ['pre_read_file', 'permission_denied', 'notification', 'post_tool_use_failure'];
    for (const event of missing) {
      expect(hook(event).unsupported).toMatchObject([
        {
          reason: `codex does not support hook_event ${event}: the harness has no event for ${event}`,
        },
      ]);
    }
  });
});

test('codex rejects commands and suggests a skill, in both scopes', () => {
  for (const adapter of [codex, codex.user]) {
    const { unsupported } = plan(artifact('ops/ship', 'type: command\n'), adapter);
    expect(unsupported[0]?.reason).toContain('author it as a skill');
  }
});

test('codex gets a Windows form of a hook command', () => {
  const hook = artifact('ops/bye', 'type: hook\nhook_event: stop\nhook_action: ./bye\n');
  expect(plan(hook).entries[0]?.entry.value).toMatchObject({
    hooks: [{ commandWindows: expect.stringMatching(/^node -e "[^"$`%]+" catalog:[\w-]+$/) }],
  });
});

test.each(['', 'hook_timeout: 30\n'])(
  'limits a hook at the end of a session to 3 seconds',
  (keys) => {
    const hook = artifact(
      'ops/bye',
      `type: hook\nhook_event: session_end\nhook_action: ./bye\n${keys}`,
    );
    const [entry] = plan(hook).entries;
    expect(entry?.entry.value).toMatchObject({
      hooks: [{ timeout: 3, command: expect.stringMatching(/ 2$/) }],
    });
  },
);
