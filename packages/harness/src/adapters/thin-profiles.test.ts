import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import type { HarnessAdapter } from '../adapter.ts';
import { planArtifacts, planWorkspace } from '../plan.ts';
import type { Plan } from '../planned.ts';
import { loadAdapter } from '../registry.ts';

const THIN = [
  'copilot',
  'amp',
  'cline',
  'kiro',
  'droid',
  'qwen',
  'zed',
  'goose',
  'kilo',
  'antigravity',
  'devin',
  'warp',
  'junie',
  'continue',
  'agents-md',
];

function artifact(keys: string, body = 'Prose.\n'): Artifact {
  return artifactOf('ops/sample', {
    'ARTIFACT.md': `---\nversion: 1.0.0\ndescription: A sample.\n${keys}---\n${body}`,
    ...(keys.startsWith('type: skill')
      ? { 'SKILL.md': '---\nname: sample\ndescription: A sample.\n---\nProse.\n' }
      : {}),
  });
}

function plan(one: Artifact, adapter: HarnessAdapter): Plan {
  return planArtifacts([one], adapter, { on_clash: 'fail' });
}

function plannedOutput(keys: string, harness: string, body?: string): Record<string, unknown> {
  const { files, entries } = plan(artifact(keys, body), loadAdapter(harness));
  const decoder = new TextDecoder();
  return Object.fromEntries([
    ...files.map(({ path, bytes }) => [path, decoder.decode(bytes)]),
    ...entries.map(({ path, entry }) => [
      [path, ...entry.container, ...(entry.shape === 'map' ? [entry.key] : [])].join(' '),
      entry.value,
    ]),
  ]);
}

test.each(THIN)('%s has no neutral label and writes a skill as authored', (id) => {
  const adapter = loadAdapter(id);
  expect(adapter.label).toBe(id);
  const { files } = plan(artifact('type: skill\n'), adapter);
  expect(files.map(({ path }) => path)).toEqual([`${adapter.skill_folders[0]}/sample/SKILL.md`]);
});

test.each(THIN)('%s suggests an alternative in every rejection', (id) => {
  const adapter = loadAdapter(id);
  for (const scope of [adapter, adapter.user ?? adapter]) {
    for (const [row, reason] of Object.entries(scope.refusals)) {
      if (row.startsWith('hook_event:') && reason.startsWith('the harness has no event')) continue;
      expect(reason, row).toMatch(/; .*(target_harnesses|--scope user)$/);
    }
  }
});

describe('rules of workspace adapters', () => {
  const GLOB = 'type: rule\nrule_mode: glob\nrule_globs: "a/**, *.{c,h}"\n';
  const AUTO = 'type: rule\nrule_mode: auto\nrule_description: When it matters.\n';
  const MANUAL = 'type: rule\nrule_mode: explicit\n';

  test.each(['amp', 'droid', 'zed', 'goose', 'kilo', 'warp', 'junie', 'agents-md'])(
    '%s writes a rule to AGENTS.md',
    (id) => {
      expect(plannedOutput('type: rule\n', id)).toEqual({ 'AGENTS.md': 'Prose.\n' });
      expect(plan(artifact(GLOB), loadAdapter(id)).fallbacks).toHaveLength(1);
    },
  );

  test.each([
    ['copilot', 'type: rule\n', 'description: A sample.\napplyTo: "**"\n'],
    ['copilot', GLOB, 'description: A sample.\napplyTo: "a/**,*.{c,h}"\n'],
    ['copilot', AUTO, 'description: When it matters.\n'],
    ['copilot', MANUAL, undefined],
    ['cline', 'type: rule\n', undefined],
    ['cline', GLOB, 'paths:\n  - a/**\n  - "*.{c,h}"\n'],
    ['kiro', 'type: rule\n', 'inclusion: always\n'],
    ['kiro', GLOB, 'inclusion: fileMatch\nfileMatchPattern:\n  - a/**\n  - "*.{c,h}"\n'],
    [
      'kiro',
      'type: rule\nrule_mode: glob\nrule_globs: a/**\n',
      'inclusion: fileMatch\nfileMatchPattern: a/**\n',
    ],
    ['kiro', AUTO, 'inclusion: auto\nname: sample\ndescription: When it matters.\n'],
    ['kiro', MANUAL, 'inclusion: manual\n'],
    ['antigravity', 'type: rule\n', 'trigger: always_on\n'],
    ['antigravity', GLOB, 'trigger: glob\nglobs: "a/**,*.c,*.h"\n'],
    ['antigravity', AUTO, 'trigger: model_decision\ndescription: When it matters.\n'],
    ['antigravity', MANUAL, 'trigger: manual\n'],
    ['devin', 'type: rule\n', 'trigger: always_on\n'],
    ['devin', GLOB, 'trigger: glob\nglobs:\n  - a/**\n  - "*.{c,h}"\n'],
    ['devin', AUTO, 'trigger: model_decision\ndescription: When it matters.\n'],
    ['devin', MANUAL, 'trigger: manual\n'],
    ['qwen', 'type: rule\n', undefined],
    ['qwen', GLOB, 'paths:\n  - "a/**"\n  - "**/*.{c,h}"\n'],
    ['continue', 'type: rule\n', 'name: sample\nalwaysApply: true\n'],
    ['continue', GLOB, 'name: sample\nglobs:\n  - a/**\n  - "*.{c,h}"\n'],
    ['continue', AUTO, 'name: sample\ndescription: When it matters.\nalwaysApply: false\n'],
    ['continue', MANUAL, 'name: sample\ndescription: A sample.\ninvokable: true\n'],
  ])('%s writes for %j the frontmatter %j', (id, keys, head) => {
    const [[path, text] = []] = Object.entries(plannedOutput(keys, id));
    expect(path).toBe(RULE_PATHS[id]);
    expect(text).toBe(head === undefined ? 'Prose.\n' : `---\n${head}---\nProse.\n`);
  });

  const RULE_PATHS: Record<string, string> = {
    copilot: '.github/instructions/sample.instructions.md',
    cline: '.clinerules/sample.md',
    kiro: '.kiro/steering/sample.md',
    antigravity: '.agents/rules/sample.md',
    devin: '.devin/rules/sample.md',
    continue: '.continue/rules/sample.md',
    qwen: '.qwen/rules/sample.md',
  };

  test('Qwen Code command keeps disable-model-invocation', () => {
    const keys = 'type: command\nargument-hint: version\ndisable-model-invocation: true\n';
    const [text = ''] = Object.values(plannedOutput(keys, 'qwen'));
    expect(text).toContain('argument-hint: version\ndisable-model-invocation: true\n');
    expect(plan(artifact(keys), loadAdapter('qwen')).fallbacks).toEqual([]);
  });

  test.each([
    ['devin', '.config/devin/AGENTS.md'],
    ['warp', '.agents/AGENTS.md'],
    ['junie', '.junie/AGENTS.md'],
  ])('%s writes user rules to %s', (id, path) => {
    const { entries } = plan(artifact('type: rule\n'), loadAdapter(id, 'user'));
    expect(entries.map((entry) => entry.path)).toEqual([path]);
  });

  test('Devin writes user rules to its own directory on Windows', () => {
    const { entries } = plan(
      artifact('type: rule\n'),
      loadAdapter('devin', 'user', undefined, 'win32'),
    );
    expect(entries.map(({ path }) => path)).toEqual(['AppData/Roaming/devin/AGENTS.md']);
  });

  test('Continue rejects a server with a secret and names config.yaml', () => {
    const keys = 'type: mcp-server\ncommand: wh\nenv: {KEY: "${secret:KEY}"}\n';
    expect(plan(artifact(keys), loadAdapter('continue')).unsupported[0]?.reason).toContain(
      'in config.yaml only',
    );
  });

  test('Continue warns that its command line tool loads only rules with mode always', () => {
    expect(plan(artifact('type: rule\n'), loadAdapter('continue')).fallbacks).toEqual([]);
    for (const keys of [GLOB, AUTO, MANUAL]) {
      expect(plan(artifact(keys), loadAdapter('continue')).fallbacks[0]?.reason).toContain(
        'the command line does not load the rule',
      );
    }
  });
});

describe('agents of workspace adapters', () => {
  const AGENT = 'type: agent\nmodel: gpt-6\neffort_hint: max\ntools: Read, Write, Bash\n';
  const HEAD = 'name: sample\ndescription: A sample.\n';

  test.each([
    [
      'copilot',
      '.github/agents/sample.agent.md',
      `${HEAD}tools:\n  - read\n  - edit\n  - execute\nmodel: gpt-6\ninclude-custom-instructions: true\n`,
    ],
    [
      'droid',
      '.factory/droids/sample.md',
      `${HEAD}model: gpt-6\nreasoningEffort: high\ntools:\n  - Read\n  - Create\n  - Execute\n`,
    ],
    [
      'qwen',
      '.qwen/agents/sample.md',
      `${HEAD}model: gpt-6\ntools:\n  - read_file\n  - write_file\n  - run_shell_command\n`,
    ],
    [
      'junie',
      '.junie/agents/sample.md',
      `${HEAD}tools:\n  - Read\n  - Write\n  - Bash\nmodel: gpt-6\nreasoningLevel: high\n`,
    ],
  ])("%s writes to %s with the product's keys and tools", (id, path, head) => {
    expect(plannedOutput(AGENT, id)).toEqual({ [path]: `---\n${head}---\nProse.\n` });
  });

  test('Qwen Code writes only the permission mode plan', () => {
    const [text = ''] = Object.values(plannedOutput('type: agent\npermissionMode: plan\n', 'qwen'));
    expect(text).toContain('permissionMode: plan\n');
    expect(
      plan(artifact('type: agent\napprovalMode: plan\n'), loadAdapter('qwen')).fallbacks,
    ).toEqual([]);
    const loose = plan(artifact('type: agent\npermissionMode: acceptEdits\n'), loadAdapter('qwen'));
    expect(new TextDecoder().decode(loose.files[0]?.bytes)).not.toContain('permissionMode');
    expect(loose.fallbacks.map(({ reason }) => reason)).toEqual([
      '`permissionMode` is not written, so the agent has the permissions of the session',
    ]);
  });

  test('Qwen Code writes the servers of an agent, except those that need a secret', () => {
    const servers =
      '[{name: wh, command: wh, args: [-q]}, {name: key, command: key, env: {K: "${secret:K}"}}]';
    const brought = artifact(`type: agent\nmcpServers: ${servers}\n`);
    const { files, fallbacks } = plan(brought, loadAdapter('qwen'));
    expect(new TextDecoder().decode(files[0]?.bytes)).toContain(
      'mcpServers:\n  wh:\n    command: wh\n    args:\n      - "-q"\n---\n',
    );
    expect(fallbacks.map(({ reason }) => reason)).toEqual([
      'Qwen Code has no secrets in the servers of an agent, so key is not started; deliver it as a separate mcp-server artifact',
    ]);
  });

  test('Qwen Code lists a denied tool once', () => {
    const keys = 'type: agent\ndisallowedTools: [Edit, MultiEdit]\n';
    const [text = ''] = Object.values(plannedOutput(keys, 'qwen'));
    expect(text).toContain('disallowedTools:\n  - edit\n---\n');
  });

  test.each(['tools: []', 'tools: [Task]', 'tools: ["Bash(git *)"]'])(
    'Qwen Code and Junie reject an agent whose tool list would be empty: %s',
    (tools) => {
      for (const id of ['qwen', 'junie']) {
        const { unsupported } = plan(artifact(`type: agent\n${tools}\n`), loadAdapter(id));
        expect(unsupported[0]?.reason).toContain('an empty list of tools');
      }
    },
  );

  test('Junie rejects a name that it cannot read', () => {
    const keys = '---\ntype: agent\nversion: 1.0.0\ndescription: A sample.\n---\nProse.\n';
    const named = artifactOf('ops/9-lives', { 'ARTIFACT.md': keys });
    expect(plan(named, loadAdapter('junie')).unsupported[0]?.reason).toContain('a letter first');
  });

  test.each(['copilot', 'droid', 'qwen', 'junie'])(
    '%s rejects an agent without a description',
    (id) => {
      const nameless = artifactOf('ops/x', {
        'ARTIFACT.md': '---\ntype: agent\nversion: 1.0.0\n---\n',
      });
      expect(plan(nameless, loadAdapter(id)).unsupported[0]?.reason).toContain('description');
    },
  );

  test('Kilo writes an agent in the format of OpenCode', () => {
    expect(plannedOutput('type: agent\n', 'kilo')).toEqual({
      '.kilo/agents/sample.md': '---\ndescription: A sample.\nmode: subagent\n---\nProse.\n',
    });
  });
});

describe('commands of workspace adapters', () => {
  const BODY = 'Ship $1 of $ARGUMENTS.\n';

  test.each([
    [
      'copilot',
      '.github/skills/sample/SKILL.md',
      `---\nname: sample\ndescription: A sample.\n---\n${BODY}`,
      '$1, $ARGUMENTS',
    ],
    ['cline', '.clinerules/workflows/sample.md', BODY, '$1, $ARGUMENTS'],
    ['kiro', '.kiro/prompts/sample.md', BODY, '$1, $ARGUMENTS'],
    ['droid', '.factory/commands/sample.md', `---\ndescription: A sample.\n---\n${BODY}`, '$1'],
    [
      'qwen',
      '.qwen/commands/sample.md',
      '---\ndescription: A sample.\n---\nShip $1 of {{args}}.\n',
      '$1',
    ],
    ['kilo', '.kilo/commands/sample.md', `---\ndescription: A sample.\n---\n${BODY}`, undefined],
    [
      'antigravity',
      '.agents/workflows/sample.md',
      `---\ndescription: A sample.\n---\n${BODY}`,
      '$1, $ARGUMENTS',
    ],
    [
      'junie',
      '.junie/commands/sample.md',
      '---\ndescription: A sample.\n---\nShip $1 of $arguments.\n',
      '$1',
    ],
    [
      'continue',
      '.continue/prompts/sample.md',
      `---\nname: sample\ndescription: A sample.\ninvokable: true\n---\n${BODY}`,
      '$1, $ARGUMENTS',
    ],
  ])(
    '%s writes a command to %s and warns about unsupported placeholders',
    (id, path, text, left) => {
      expect(plannedOutput('type: command\n', id, BODY)).toEqual({ [path]: text });
      const { fallbacks } = plan(artifact('type: command\n', BODY), loadAdapter(id));
      expect(fallbacks.map(({ reason }) => reason)).toEqual(
        left === undefined ? [] : [expect.stringContaining(`no placeholder for ${left},`)],
      );
    },
  );
});

describe('MCP servers of workspace adapters', () => {
  const REMOTE = 'type: mcp-server\nurl: https://x.example/mcp\n';
  const SECRET = `${REMOTE}headers: {A: "\${secret:T}"}\n`;
  const LOCAL = 'type: mcp-server\ncommand: npx\nargs: [wh]\n';
  const url = 'https://x.example/mcp';

  test.each([
    ['copilot', '.mcp.json mcpServers', { type: 'http', url, headers: { A: '${T}' } }],
    ['amp', '.amp/settings.json amp.mcpServers', { url, headers: { A: '${T}' } }],
    ['kiro', '.kiro/settings/mcp.json mcpServers', { url, headers: { A: '${T}' } }],
    ['droid', '.factory/mcp.json mcpServers', { type: 'http', url, headers: { A: '${T}' } }],
    ['qwen', '.qwen/settings.json mcpServers', { httpUrl: url, headers: { A: '${T}' } }],
    ['warp', '.warp/.mcp.json mcpServers', { url, headers: { A: '${T}' } }],
  ])('%s writes a server to %s with a reference to its secret', (id, place, value) => {
    expect(plannedOutput(SECRET, id)).toMatchObject({ [`${place} sample`]: value });
  });

  test.each([
    ['zed', '.zed/settings.json context_servers', { command: 'npx', args: ['wh'] }],
    ['antigravity', '.agents/mcp_config.json mcpServers', { command: 'npx', args: ['wh'] }],
    ['devin', '.devin/mcp_config.json mcpServers', { command: 'npx', args: ['wh'] }],
    ['junie', '.junie/mcp/mcp.json mcpServers', { command: 'npx', args: ['wh'] }],
    ['continue', '.continue/mcpServers/mcp.json mcpServers', { command: 'npx', args: ['wh'] }],
    ['kilo', 'kilo.json mcp', { type: 'local', command: ['npx', 'wh'], enabled: true }],
  ])('%s writes a server to %s and rejects a server that needs a secret', (id, place, value) => {
    expect(plannedOutput(LOCAL, id)).toEqual({ [`${place} sample`]: value });
    expect(plan(artifact(SECRET), loadAdapter(id)).unsupported[0]?.reason).toContain('secret');
  });

  test('Antigravity writes the URL of a server as serverUrl', () => {
    expect(plannedOutput(REMOTE, 'antigravity')).toEqual({
      '.agents/mcp_config.json mcpServers sample': { serverUrl: url },
    });
  });

  test.each([
    ['http', ''],
    ['sse', 'transport: sse\n'],
  ])('Continue writes the transport %s', (type, keys) => {
    expect(plannedOutput(`${REMOTE}${keys}`, 'continue')).toEqual({
      '.continue/mcpServers/mcp.json mcpServers sample': { type, url },
    });
  });

  test('Cline and Kilo write user servers that they reject in a workspace', () => {
    expect(plan(artifact(REMOTE), loadAdapter('cline')).unsupported[0]?.reason).toContain(
      '--scope user',
    );
    const [cline] = plan(artifact(REMOTE), loadAdapter('cline', 'user')).entries;
    expect(cline?.entry.value).toEqual({ type: 'streamableHttp', url });
    const [kilo] = plan(artifact(SECRET), loadAdapter('kilo', 'user')).entries;
    expect(kilo).toMatchObject({
      path: '.config/kilo/kilo.json',
      entry: { value: { type: 'remote', url, headers: { A: '{env:T}' } } },
    });
  });
});

describe('hooks of workspace adapters', () => {
  const MATCHED = 'Edit|replace_file_content|multi_replace_file_content|Read|view_file';
  const WITHOUT_HOOKS = 'amp zed goose warp junie continue agents-md'.split(' ');
  const HOOK =
    'type: hook\nhook_event: pre_shell_execution\nhook_action: check\nhook_timeout: 10\n';

  test('Copilot writes a file per hook', () => {
    const text = plannedOutput(HOOK, 'copilot')['.github/hooks/sample.json'];
    expect(JSON.parse(String(text))).toEqual({
      version: 1,
      hooks: {
        preToolUse: [
          {
            type: 'command',
            matcher: 'bash|powershell',
            bash: expect.stringContaining('copilot.mjs'),
            powershell: expect.stringContaining('copilot.mjs'),
            timeoutSec: 15,
          },
        ],
      },
    });
  });

  test.each([
    ['droid', '.factory/settings.json hooks PreToolUse', '^Execute$', { timeout: 15 }],
    ['qwen', '.qwen/settings.json hooks PreToolUse', '^run_shell_command$', { timeout: 15_000 }],
    ['devin', '.devin/hooks.v1.json PreToolUse', '^exec$', { timeout: 15 }],
  ])('%s writes hooks in groups to %s', (id, place, matcher, limit) => {
    expect(plannedOutput(HOOK, id)[place]).toEqual({
      matcher,
      hooks: [
        {
          type: 'command',
          command: expect.stringMatching(/pre_shell_execution ops\/sample check 10$/),
          ...limit,
        },
      ],
    });
  });

  test("Devin writes user hooks to the user's configuration", () => {
    const { entries } = plan(artifact(HOOK), loadAdapter('devin', 'user'));
    expect(entries[0]).toMatchObject({
      path: '.config/devin/config.json',
      entry: { container: ['hooks', 'PreToolUse'] },
    });
  });

  test.each([
    ['pre_shell_execution', '', 'PreToolUse', '^run_command$'],
    ['pre_tool_use', 'hook_matcher: Edit|Read\n', 'PreToolUse', MATCHED],
    ['pre_tool_use', '', 'PreToolUse', '*'],
  ])(
    "Antigravity writes %s with %j under the hook's name with a matcher for its tools",
    (event, keys, native, matcher) => {
      const hook = HOOK.replace('pre_shell_execution', event) + keys;
      expect(plannedOutput(hook, 'antigravity')['.agents/hooks.json sample']).toEqual({
        [native]: [
          {
            matcher,
            hooks: [
              {
                type: 'command',
                command: expect.stringMatching(/antigravity\.mjs.* ops\/sample check 10( '.*')?$/),
                timeout: 15,
              },
            ],
          },
        ],
      });
    },
  );

  test('Antigravity writes the end of a turn without a group and rejects unsupported events', () => {
    const stop = HOOK.replace('pre_shell_execution', 'stop');
    expect(plannedOutput(stop, 'antigravity')['.agents/hooks.json sample']).toEqual({
      Stop: [{ type: 'command', command: expect.stringContaining('stop'), timeout: 15 }],
    });
    const start = artifact(HOOK.replace('pre_shell_execution', 'session_start'));
    expect(plan(start, loadAdapter('antigravity')).unsupported).toHaveLength(1);
  });

  test('Antigravity writes user hooks and servers to ~/.gemini/config', () => {
    const server = artifact('type: mcp-server\ncommand: npx\n');
    const paths = [artifact(HOOK), server].flatMap((one) =>
      plan(one, loadAdapter('antigravity', 'user')).entries.map(({ path }) => path),
    );
    expect(paths).toEqual(['.gemini/config/hooks.json', '.gemini/config/mcp_config.json']);
  });

  test('Devin warns about a hook that Claude Code also has in the workspace', () => {
    const artifacts = [artifact(HOOK)];
    const requests = ['devin', 'claude-code'].map((id) => ({
      adapter: loadAdapter(id),
      artifacts,
    }));
    const [devin] = planWorkspace(requests, { on_clash: 'fail' });
    expect(devin?.fallbacks.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('devin runs it twice, because it also reads .claude/settings.json'),
    ]);
    expect(plan(artifact(HOOK), loadAdapter('devin')).fallbacks).toEqual([]);
  });

  test('Kilo writes a hook as a plugin', () => {
    expect(Object.keys(plannedOutput(HOOK, 'kilo'))).toEqual([
      '.kilo/plugins/catalog-sample.js',
      '.catalog/hooks/kilo.mjs',
    ]);
  });

  test.each(WITHOUT_HOOKS)('%s rejects a hook', (id) => {
    expect(plan(artifact(HOOK), loadAdapter(id)).unsupported).toHaveLength(1);
  });
});

test('Antigravity writes globs with expanded braces', () => {
  const manifest =
    '---\ntype: rule\nversion: 1.0.0\nrule_mode: glob\nrule_globs: "src/**/*.{ts,tsx}, lib/*"\n---\nRule.\n';
  const rule = artifactOf('ops/rule', { 'ARTIFACT.md': manifest });
  const { files } = planArtifacts([rule], loadAdapter('antigravity'), { on_clash: 'fail' });
  expect(new TextDecoder().decode(files[0]?.bytes)).toContain('src/**/*.ts,src/**/*.tsx,lib/*');
});

test.each([
  ['allowed-tools: read mcp__wh__query', []],
  [
    'allowed-tools: Bash(git add:*) Read',
    [
      'Devin knows its tools as read, edit, grep, glob, exec, so `allowed-tools` has no effect on Bash(git add:*), Read',
    ],
  ],
])('Devin reports tools with unsupported names: %j', (keys, reasons) => {
  const skill = artifactOf('ops/check', {
    'SKILL.md': `---\nname: check\ndescription: Checks.\n${keys}\n---\nCheck.\n`,
  });
  const { fallbacks } = planArtifacts([skill], loadAdapter('devin'), { on_clash: 'fail' });
  expect(fallbacks.map(({ reason }) => reason)).toEqual(reasons);
});
