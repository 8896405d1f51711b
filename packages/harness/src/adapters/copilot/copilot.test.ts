import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { planArtifacts, planWorkspace } from '../../plan.ts';
import { claudeCode } from '../claude-code/index.ts';
import { copilot } from './index.ts';

function artifact(id: string, keys: string, body = 'Prose.\n'): Artifact {
  return artifactOf(id, {
    'ARTIFACT.md': `---\nversion: 1.0.0\ndescription: A sample.\n${keys}---\n${body}`,
  });
}

function textOf(one: Artifact, adapter = copilot): string {
  const { files } = planArtifacts([one], adapter, { on_clash: 'fail' });
  return new TextDecoder().decode(files[0]?.bytes);
}

function keysOf(one: Artifact): unknown {
  const [, head = ''] = textOf(one).split('---\n');
  return parse(head);
}

describe('Copilot agent', () => {
  test('includes the instructions of the repository', () => {
    expect(keysOf(artifact('ops/helper', 'type: agent\n'))).toEqual({
      name: 'helper',
      description: 'A sample.',
      'include-custom-instructions': true,
    });
  });

  test('has its servers with secrets as references', () => {
    const server = '- {name: wh, command: wh-mcp, env: {KEY: "${secret:WH_KEY}"}}';
    expect(keysOf(artifact('ops/helper', `type: agent\nmcpServers:\n  ${server}\n`))).toMatchObject(
      {
        'mcp-servers': {
          wh: { type: 'stdio', command: 'wh-mcp', env: { KEY: '${WH_KEY}' }, tools: ['*'] },
        },
      },
    );
  });

  test('lists tools of servers', () => {
    const one = artifact('ops/helper', 'type: agent\ntools: [Read, mcp__wh__query, mcp__git]\n');
    expect(keysOf(one)).toMatchObject({ tools: ['read', 'wh/query', 'git/*'] });
    expect(copilot.warnings?.(one)).toEqual([]);
  });
});

describe('Copilot command', () => {
  test('is written as a skill', () => {
    const keys = 'type: command\nargument-hint: "[stage]"\ndisable-model-invocation: true\n';
    const one = artifactOf('ops/ship', {
      'ARTIFACT.md': `---\nversion: 1.0.0\ndescription: Ship it.\n${keys}---\nShip $ARGUMENTS.\n`,
      'scripts/ship.sh': 'true\n',
    });
    const { files, fallbacks } = planArtifacts([one], copilot, { on_clash: 'fail' });
    expect(files.map(({ path }) => path)).toEqual([
      '.github/skills/ship/SKILL.md',
      '.github/skills/ship/scripts/ship.sh',
    ]);
    expect(textOf(one)).toBe(
      '---\nname: ship\ndescription: Ship it.\nargument-hint: "[stage]"\ndisable-model-invocation: true\n---\nShip $ARGUMENTS.\n',
    );
    expect(fallbacks.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('no placeholder for $ARGUMENTS'),
    ]);
  });

  test('has its qualified name inside the file', () => {
    const both = ['dev/ship', 'ops/ship'].map((id) => artifact(id, 'type: command\n'));
    const { files } = planArtifacts(both, copilot, { on_clash: 'qualify' });
    expect(
      files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes).split('\n')[1]]),
    ).toEqual([
      ['.github/skills/dev-ship/SKILL.md', 'name: dev-ship'],
      ['.github/skills/ops-ship/SKILL.md', 'name: ops-ship'],
    ]);
  });

  test('clashes with a skill of the same name, even in a directory of another harness', () => {
    const skill = artifactOf('dev/ship', {
      'SKILL.md': '---\nname: ship\ndescription: Ship.\n---\nShip.\n',
    });
    const both = [skill, artifact('ops/ship', 'type: command\n')];
    const plan = (on_clash: 'fail' | 'qualify'): string[] =>
      planWorkspace(
        [
          { adapter: claudeCode, artifacts: both },
          { adapter: copilot, artifacts: both },
        ],
        { on_clash },
      ).flatMap(({ files }) => files.map(({ path }) => path));
    expect(() => plan('fail')).toThrow(
      'dev/ship and ops/ship both want the skill name ship in copilot',
    );
    expect(plan('qualify')).toEqual(
      expect.arrayContaining([
        '.claude/skills/dev-ship/SKILL.md',
        '.github/skills/ops-ship/SKILL.md',
      ]),
    );
  });

  test("is written to the user's skills in the home directory", () => {
    if (copilot.user === undefined) throw new Error('it has a user scope');
    const { files } = planArtifacts([artifact('ops/ship', 'type: command\n')], copilot.user, {
      on_clash: 'fail',
    });
    expect(files.map(({ path }) => path)).toEqual(['.copilot/skills/ship/SKILL.md']);
  });

  test('is rejected without a description, because Copilot ignores such a skill', () => {
    const one = artifactOf('ops/ship', {
      'ARTIFACT.md': '---\nversion: 1.0.0\ntype: command\n---\nShip.\n',
    });
    const { files, unsupported } = planArtifacts([one], copilot, { on_clash: 'fail' });
    expect(files).toEqual([]);
    expect(unsupported.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('without a description'),
    ]);
  });
});

describe('Copilot hook', () => {
  function hookOf(keys: string): unknown {
    const one = artifact('ops/guard', `type: hook\nhook_action: ./guard\n${keys}`);
    return JSON.parse(textOf(one)).hooks;
  }

  test.each([
    ['hook_event: pre_shell_execution\n', 'preToolUse', 'bash|powershell'],
    ['hook_event: post_file_edit\n', 'postToolUse', 'create|edit|str_replace|apply_patch'],
    ['hook_event: pre_tool_use\nhook_matcher: Bash\n', 'preToolUse', 'Bash|bash|powershell'],
  ])('has a matcher for the tools of its event: %j', (keys, event, matcher) => {
    expect(hookOf(keys)).toMatchObject({ [event]: [{ matcher }] });
  });

  test('has a Windows form', () => {
    expect(hookOf('hook_event: permission_request\n')).toMatchObject({
      permissionRequest: [
        { powershell: expect.stringMatching(/^node -e "[^"$`%]+" catalog:[\w-]+$/) },
      ],
    });
  });

  test('is written to the home directory, like a rule', () => {
    const { user } = copilot;
    const hook = artifact('ops/guard', 'type: hook\nhook_event: stop\nhook_action: ./guard\n');
    const rule = artifact('ops/tone', 'type: rule\n');
    if (user === undefined) throw new Error('it has a user scope');
    const { files } = planArtifacts([hook, rule], user, { on_clash: 'fail' });
    expect(files.map(({ path }) => path)).toEqual([
      '.copilot/hooks/guard.json',
      '.catalog/hooks/copilot.mjs',
      '.copilot/instructions/tone.instructions.md',
    ]);
  });
});

test('warns that Copilot also loads a rule and a hook of Claude Code in the same workspace', () => {
  const artifacts = [
    artifact('ops/guard', 'type: hook\nhook_event: stop\nhook_action: ./guard\n'),
    artifact('ops/tone', 'type: rule\n'),
    artifact('ops/ship', 'type: command\n'),
  ];
  const [, plan] = planWorkspace(
    [
      { adapter: claudeCode, artifacts },
      { adapter: copilot, artifacts },
    ],
    { on_clash: 'fail' },
  );
  expect(plan?.fallbacks.map(({ artifact_id, reason }) => `${artifact_id}: ${reason}`)).toEqual([
    'ops/tone: copilot loads it twice, from .claude/rules/tone.md and .github/instructions/tone.instructions.md, because other harnesses of this workspace have their rules there',
    'ops/guard: copilot runs it twice in VS Code, because it also reads .claude/settings.json, where another harness of this workspace has it',
  ]);
  expect(planArtifacts(artifacts, copilot, { on_clash: 'fail' }).fallbacks).toEqual([]);
});

test('writes a server to the files of the command line tool and of VS Code', () => {
  const keys = 'type: mcp-server\nserver_identifier: wh\nurl: https://wh.example\n';
  const one = artifact('ops/wh', `${keys}headers: {A: "\${secret:T}"}\n`);
  const { entries } = planArtifacts([one], copilot, { on_clash: 'fail' });
  expect(entries.map(({ path, entry }) => [path, entry.container, entry.value])).toEqual([
    [
      '.mcp.json',
      ['mcpServers'],
      { type: 'http', url: 'https://wh.example', headers: { A: '${T}' } },
    ],
    [
      '.vscode/mcp.json',
      ['servers'],
      { type: 'http', url: 'https://wh.example', headers: { A: '${env:T}' } },
    ],
  ]);
  const both = planWorkspace(
    [
      { adapter: claudeCode, artifacts: [one] },
      { adapter: copilot, artifacts: [one] },
    ],
    { on_clash: 'fail' },
  );
  expect(both.map(({ unsupported }) => unsupported)).toEqual([[], []]);
});
