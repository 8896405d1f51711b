import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { planArtifacts } from '../../plan.ts';
import { opencode } from './index.ts';
import { opencodeReaders } from './read-back.ts';

function artifact(keys: string, body = 'Prose.\n'): Artifact {
  return artifactOf('ops/sample', {
    'ARTIFACT.md': `---\nversion: 1.0.0\ndescription: A sample.\n${keys}---\n${body}`,
  });
}

/** The frontmatter of what is written, as YAML has it. */
function keysOf(one: Artifact): unknown {
  const { files } = planArtifacts([one], opencode, { on_clash: 'fail' });
  const [, head = ''] = new TextDecoder().decode(files[0]?.bytes).split('---\n');
  return parse(head);
}

const PLAIN = { description: 'A sample.', mode: 'subagent' };

describe('an agent has the keys OpenCode knows and no other', () => {
  test.each([
    ['tags: [x]\nsensitivity: low\nmodel_class_hint: large\n', PLAIN],
    ['model: sonnet\n', PLAIN],
    ['model: anthropic/claude-sonnet-4-5\n', { ...PLAIN, model: 'anthropic/claude-sonnet-4-5' }],
    [
      'requiresApproval: [{tool: Bash}, {tool: wh_query}]\n',
      { ...PLAIN, permission: { bash: 'ask', wh_query: 'ask' } },
    ],
  ])('%j', (keys, expected) => {
    expect(keysOf(artifact(`type: agent\n${keys}`))).toEqual(expected);
  });
});

describe('the tools of an agent only ever take away', () => {
  const DENIED = {
    '*_*': 'deny',
    read: 'deny',
    edit: 'deny',
    glob: 'deny',
    grep: 'deny',
    list: 'deny',
    bash: 'deny',
    task: 'deny',
    webfetch: 'deny',
    websearch: 'deny',
    todowrite: 'deny',
    skill: 'deny',
  };
  const { read: _read, ...unread } = DENIED;

  test.each([
    ['tools: []\n', DENIED],
    ['tools: Read\n', unread],
    ['tools: [Unknown]\n', DENIED],
    [
      'tools: [mcp__wh__query, mcp__my.db, mcp__all__*]\n',
      { ...DENIED, wh_query: 'ask', 'my_db_*': 'ask', 'all_*': 'ask' },
    ],
    [
      'tools: mcp__wh__query\nrequiresApproval: [{tool: mcp__wh__query}, {tool: wh_drop}]\n',
      { ...DENIED, wh_query: 'ask' },
    ],
    [
      'tools: Read, Bash(git log:*), Bash(npm test)\n',
      { ...unread, bash: { '*': 'deny', 'git log *': 'ask', 'npm test': 'ask' } },
    ],
    ['tools: Read\nrequiresApproval: [{tool: Bash}, {tool: Read}]\n', { ...unread, read: 'ask' }],
  ])('%j', (keys, permission) => {
    const written = keysOf(artifact(`type: agent\n${keys}`));
    expect(written).toEqual({ ...PLAIN, permission });
    // The last entry that matches a tool decides.
    expect(Object.keys(Object(written).permission)[0]).toBe('*_*');
  });

  test('all tools of MCP servers stay with mcp__*', () => {
    const { '*_*': _servers, ...rest } = unread;
    const written = keysOf(artifact('type: agent\ntools: [Read, mcp__*]\n'));
    expect(written).toEqual({ ...PLAIN, permission: rest });
  });

  test('a whole tool beside some of its commands is the whole tool', () => {
    const both = keysOf(artifact('type: agent\ntools: "Bash, Bash(git log)"\n'));
    expect(both).not.toHaveProperty('permission.bash');
    const reversed = keysOf(artifact('type: agent\ntools: "Bash(git log), Bash"\n'));
    expect(reversed).not.toHaveProperty('permission.bash');
  });
});

test.each([
  { '*_*': 'deny', edit: 'deny', wh_query: 'ask', 'my_db_*': 'ask' },
  { edit: 'deny', bash: 'ask' },
  { '*_*': 'deny' },
  { bash: 'ask' },
])('permissions that are adopted are written back as they were: %j', (permission) => {
  const read = opencodeReaders.agent?.({ name: 'sample', values: { permission }, body: '' });
  if (read === undefined || 'left' in read) throw new Error('the agent is left out');
  const written = keysOf(artifact(stringify({ type: 'agent', ...read.values })));
  expect(written).toMatchObject({ permission });
  expect(Object.keys(Object(written).permission).toSorted()).toEqual(
    Object.keys(permission).toSorted(),
  );
});

test('a command keeps its placeholders, which are the canonical ones', () => {
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

test('in the home folder everything lies where OpenCode looks for it there', () => {
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

test('an amount in a command does not become an argument', () => {
  const one = artifact('type: command\n', 'Pay $5.99 for $1.\n');
  const { files } = planArtifacts([one], opencode, { on_clash: 'fail' });
  expect(new TextDecoder().decode(files[0]?.bytes)).toContain('Pay $ 5.99 for $1.\n');
});
