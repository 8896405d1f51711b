import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { planArtifacts, planWorkspace } from '../../plan.ts';
import type { UserSettings } from '../../adapter.ts';
import { opencode } from './index.ts';
import { opencodeReaders } from './read-back.ts';

function artifact(keys: string, body = 'Prose.\n'): Artifact {
  return artifactOf('ops/sample', {
    'ARTIFACT.md': `---\nversion: 1.0.0\ndescription: A sample.\n${keys}---\n${body}`,
  });
}

function keysOf(one: Artifact): unknown {
  const { files } = planArtifacts([one], opencode, { on_clash: 'fail' });
  const [, head = ''] = new TextDecoder().decode(files[0]?.bytes).split('---\n');
  return parse(head);
}

const PLAIN = { description: 'A sample.', mode: 'subagent' };

describe('OpenCode agent keys', () => {
  test.each([
    ['tags: [x]\nsensitivity: low\nmodel_class_hint: large\n', PLAIN],
    ['model: sonnet\n', PLAIN],
    ['model: anthropic/claude-sonnet-4-5\n', { ...PLAIN, model: 'anthropic/claude-sonnet-4-5' }],
    [
      'requiresApproval: [{tool: Bash}, {tool: wh_query}]\n',
      { ...PLAIN, permission: { bash: 'ask', wh_query: 'ask' } },
    ],
  ])('writes only keys of the product for %j', (keys, expected) => {
    expect(keysOf(artifact(`type: agent\n${keys}`))).toEqual(expected);
  });
});

const READ = { '*': 'allow', '*.env': 'ask', '*.env.*': 'ask', '*.env.example': 'allow' };

describe('OpenCode agent with a tool list', () => {
  test.each([
    ['tools: []\n', { '*': 'deny' }],
    ['tools: Read\n', { '*': 'deny', read: READ }],
    ['tools: [Unknown]\n', { '*': 'deny' }],
    ['tools: [Read, deploy]\n', { '*': 'deny', read: READ, deploy: 'allow' }],
    ['tools: [Read, mcp__*]\n', { '*': 'deny', read: READ, '*_*': 'allow' }],
    [
      'tools: [mcp__wh__query, mcp__my.db, mcp__all__*]\n',
      { '*': 'deny', wh_query: 'allow', 'my_db_*': 'allow', 'all_*': 'allow' },
    ],
    [
      'tools: mcp__wh__query\nrequiresApproval: [{tool: mcp__wh__query}, {tool: wh_drop}]\n',
      { '*': 'deny', wh_query: 'ask' },
    ],
    [
      'tools: Grep, Bash(git log:*), Bash(npm test)\n',
      { '*': 'deny', grep: 'allow', bash: { '*': 'deny', 'git log *': 'ask', 'npm test': 'ask' } },
    ],
    ['tools: Read\nrequiresApproval: [{tool: Bash}, {tool: Read}]\n', { '*': 'deny', read: 'ask' }],
    ['tools: "Bash, Bash(git log)"\n', { '*': 'deny', bash: 'allow' }],
    ['tools: "Bash(git log), Bash"\n', { '*': 'deny', bash: 'allow' }],
    ['tools: [Grep, Bash]\ndisallowedTools: [Bash]\n', { '*': 'deny', grep: 'allow' }],
    ['tools: {"*": false, grep: true}\n', { '*': 'deny', grep: 'allow' }],
    ['permission: {"*": deny, grep: allow}\n', { '*': 'deny', grep: 'allow' }],
  ])('denies all other tools: %j', (keys, permission) => {
    const written = keysOf(artifact(`type: agent\n${keys}`));
    expect(written).toEqual({ ...PLAIN, permission });
    // The last matching entry applies.
    expect(Object.keys(Object(written).permission)[0]).toBe('*');
  });
});

test.each([
  ['disallowedTools: [Bash, mcp__wh__drop]\n', { bash: 'deny', wh_drop: 'deny' }],
  ['tools: {bash: false, grep: true}\n', { bash: 'deny' }],
  ['permission: {edit: deny, grep: allow}\n', { edit: 'deny' }],
  [
    'permission: {edit: deny, bash: {"*": ask, "git push *": deny}}\n',
    { edit: 'deny', bash: { '*': 'ask', 'git push *': 'deny' } },
  ],
  ['permission: ask\n', { '*': 'ask' }],
])('opencode limits an agent without a tool list by %j', (keys, permission) => {
  expect(keysOf(artifact(`type: agent\n${keys}`))).toEqual({ ...PLAIN, permission });
});

describe('OpenCode agent with permissions of the user and the workspace', () => {
  test.each([
    [[{ permission: { bash: 'deny' } }], 'tools: [Bash]\n', { bash: 'deny' }],
    [[{ permission: { bash: 'ask' } }], 'tools: [Bash]\n', { bash: 'ask' }],
    [[{ tools: { bash: false } }], 'tools: [Bash]\n', { bash: 'deny' }],
    [[{ permission: 'ask' }], 'tools: [Read, Bash]\n', { read: 'ask', bash: 'ask' }],
    [
      [{ permission: { read: { '*.key': 'deny' } } }],
      'tools: [Read]\n',
      { read: { ...READ, '*.key': 'deny' } },
    ],
    [
      [{ permission: { bash: { '*': 'ask', 'git *': 'allow' } } }],
      'tools: [Bash]\n',
      { bash: { '*': 'ask', 'git *': 'allow' } },
    ],
    [
      [{ permission: { bash: 'deny' } }, { permission: { bash: 'allow' } }],
      'tools: [Bash]\n',
      { bash: 'allow' },
    ],
    [
      [{ permission: { bash: { 'git push *': 'deny' } } }],
      'tools: "Bash(git *)"\n',
      { bash: { '*': 'deny', 'git *': 'ask', 'git push *': 'deny' } },
    ],
    [
      [{ permission: { wh_drop: 'deny', wh_query: 'allow' } }],
      'tools: [mcp__wh]\n',
      { 'wh_*': 'allow', wh_drop: 'deny' },
    ],
    [[{ agent: { sample: { permission: { bash: 'ask' } } } }], 'tools: [Bash]\n', { bash: 'ask' }],
    [
      [{ permission: { webfetch: { 'https://x/*': 'deny' } } }],
      'tools: [WebFetch]\n',
      { webfetch: 'deny' },
    ],
  ])('does not exceed %j with %j', (documents, keys, permission) => {
    const settings = { documents, unreadable: [] };
    expect(permissionUnder(keys, settings)).toEqual({ '*': 'deny', ...permission });
  });

  test.each([
    ['requiresApproval: [{tool: Bash}]\n', { bash: 'deny' }],
    ['permission: {bash: {"*": ask, "git *": allow}}\n', { bash: 'deny' }],
  ])('keeps a denial if an agent requires approval: %j', (keys, permission) => {
    const settings = { documents: [{ permission: { bash: 'deny' } }], unreadable: [] };
    expect(permissionUnder(keys, settings)).toEqual(permission);
  });

  test('asks before each tool and warns if the settings cannot be read', () => {
    const agent = artifact('type: agent\ntools: [Bash]\n');
    const settings = { documents: [], unreadable: ['opencode.json'] };
    expect(permissionUnder('tools: [Bash]\n', settings)).toEqual({ '*': 'deny', bash: 'ask' });
    const [plan] = planWorkspace([{ adapter: opencode, artifacts: [agent], settings }], {
      on_clash: 'fail',
    });
    expect(plan?.fallbacks.map(({ reason }) => reason)).toEqual([
      'opencode.json cannot be read, so the user is asked before each tool of the agent, also before one that the file denies',
    ]);
  });
});

function permissionUnder(keys: string, settings: UserSettings): unknown {
  const artifacts = [artifact(`type: agent\n${keys}`)];
  const [plan] = planWorkspace([{ adapter: opencode, artifacts, settings }], { on_clash: 'fail' });
  const [, head = ''] = new TextDecoder().decode(plan?.files[0]?.bytes).split('---\n');
  return parse(head).permission;
}

test.each([
  { '*_*': 'deny', edit: 'deny', wh_query: 'ask', 'my_db_*': 'ask' },
  { edit: 'deny', bash: 'ask' },
  { '*_*': 'deny' },
  { bash: 'ask' },
  { '*': 'deny', read: READ, wh_query: 'allow', bash: 'ask' },
  { '*': 'deny', bash: { '*': 'deny', 'git *': 'ask' } },
  { bash: { '*': 'ask', 'git push *': 'deny' } },
])('writes adopted permissions back unchanged: %j', (permission) => {
  const read = opencodeReaders.agent?.({ name: 'sample', values: { permission }, body: '' });
  if (read === undefined || 'left' in read) throw new Error('the agent is left out');
  const written = keysOf(artifact(stringify({ type: 'agent', ...read.values })));
  expect(written).toMatchObject({ permission });
  expect(Object.keys(Object(written).permission).toSorted()).toEqual(
    Object.keys(permission).toSorted(),
  );
});

test('an opencode agent whose permission is `deny` gets no tools', () => {
  expect(keysOf(artifact('type: agent\npermission: deny\n'))).toMatchObject({
    permission: { '*': 'deny' },
  });
});

test('opencode keeps the placeholders of a command, which are the canonical ones', () => {
  const command = artifact(
    'type: command\nagent: build\nsubtask: true\nmodel: sonnet\n',
    'Ship $1 of $ARGUMENTS.\n',
  );
  const { files, fallbacks } = planArtifacts([command], opencode, { on_clash: 'fail' });
  expect(new TextDecoder().decode(files[0]?.bytes)).toBe(
    '---\ndescription: A sample.\nagent: build\nsubtask: true\n---\nShip $1 of $ARGUMENTS.\n',
  );
  expect(fallbacks.map(({ reason }) => reason)).toEqual([
    'the model sonnet is not written, so that of the session is used',
  ]);
});

test('writes all types to the paths of OpenCode in the home directory', () => {
  const { user = opencode } = opencode;
  const planned = planArtifacts(
    [
      artifact('type: hook\nhook_event: stop\nhook_action: "true"\n'),
      artifactOf('ops/server', {
        'ARTIFACT.md': '---\ntype: mcp-server\nversion: 1.0.0\ncommand: x\n---\n',
      }),
      artifactOf('ops/rule', { 'ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\n---\nRule.\n' }),
    ],
    user,
    { on_clash: 'fail' },
  );
  expect([...planned.files, ...planned.entries].map(({ path }) => path)).toEqual([
    '.config/opencode/plugins/catalog-sample.js',
    '.catalog/hooks/opencode.mjs',
    '.config/opencode/opencode.json',
    '.config/opencode/AGENTS.md',
  ]);
  expect(new TextDecoder().decode(planned.files[0]?.bytes)).toContain(
    'from "../../../.catalog/hooks/opencode.mjs"',
  );
});

test('opencode escapes an amount of money in a command', () => {
  const one = artifact('type: command\n', 'Pay $5.99 for $1.\n');
  const { files } = planArtifacts([one], opencode, { on_clash: 'fail' });
  expect(new TextDecoder().decode(files[0]?.bytes)).toContain('Pay $ 5.99 for $1.\n');
});
