import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { planArtifacts } from '../../plan.ts';
import type { Plan } from '../../planned.ts';
import { cursor } from './index.ts';

function artifact(keys: string, body = 'Prose.\n'): Artifact {
  return artifactOf('ops/sample', {
    'ARTIFACT.md': `---\nversion: 1.0.0\ndescription: A sample.\n${keys}---\n${body}`,
  });
}

function plan(one: Artifact, adapter = cursor): Plan {
  return planArtifacts([one], adapter, { on_clash: 'fail' });
}

function textOf(one: Artifact, adapter = cursor): string {
  return new TextDecoder().decode(plan(one, adapter).files[0]?.bytes);
}

describe('a rule has the three keys Cursor writes, on one line each', () => {
  test.each([
    ['rule_mode: always\n', 'description: A sample.\nglobs:\nalwaysApply: true'],
    [
      'rule_mode: glob\nrule_globs: "*.ts, src/**/*.{c,h}"\n',
      'description: A sample.\nglobs: *.ts,src/**/*.c,src/**/*.h\nalwaysApply: false',
    ],
    [
      'rule_mode: glob\nrule_globs: "{a,b}/{c,d}.md"\n',
      'description: A sample.\nglobs: a/c.md,a/d.md,b/c.md,b/d.md\nalwaysApply: false',
    ],
    [
      'rule_mode: auto\nrule_description: "When it\\n matters: always"\n',
      'description: "When it matters: always"\nglobs:\nalwaysApply: false',
    ],
    [
      'rule_mode: glob\nrule_globs: "a/**,b\\u2028---"\n',
      'description: A sample.\nglobs: a/**,b ---\nalwaysApply: false',
    ],
    ['rule_mode: explicit\n', 'description:\nglobs:\nalwaysApply: false'],
  ])('%j', (keys, head) => {
    expect(textOf(artifact(`type: rule\n${keys}`))).toBe(`---\n${head}\n---\nProse.\n`);
  });

  test('with patterns on several lines on one', () => {
    const keys = 'type: rule\nrule_mode: glob\nrule_globs: "a\\nalwaysApply: true\\n---\\nb"\n';
    expect(textOf(artifact(keys))).toContain('\nglobs: a,alwaysApply: true,---,b\n');
  });

  test('and is refused where its braces stand for too many patterns', () => {
    const many = (times: number) =>
      plan(artifact(`type: rule\nrule_mode: glob\nrule_globs: "${'{a,b}'.repeat(times)}"\n`));
    expect(many(8).unsupported).toEqual([]);
    expect(many(60).unsupported[0]?.reason).toContain('more than 256');
  });

  test('and none in the home folder, where Cursor reads no rules', () => {
    const { unsupported } = plan(artifact('type: rule\n'), cursor.user);
    expect(unsupported[0]?.reason).toContain('author it as a skill');
  });
});

describe('an agent', () => {
  test.each([
    ['', ''],
    ['model: haiku\n', 'model: fast\n'],
    ['model: opus\n', 'model: inherit\n'],
    ['model: gpt-6\n', 'model: gpt-6\n'],
    ['model_class_hint: nano\n', 'model: fast\n'],
    ['model_class_hint: frontier\n', ''],
    ['tools: Read, Grep\n', 'readonly: true\n'],
    ['tools: Read, Bash\n', ''],
    ['tools: []\n', ''],
    ['is_background: true\n', 'is_background: true\n'],
    ['tags: [x]\nsensitivity: low\n', ''],
  ])('with %j has the keys Cursor knows: %j', (keys, own) => {
    expect(textOf(artifact(`type: agent\n${keys}`))).toBe(
      `---\nname: sample\ndescription: A sample.\n${own}---\nProse.\n`,
    );
  });
});

describe('a command', () => {
  test('keeps its placeholders, for Cursor has none, and says so', () => {
    const command = artifact('type: command\n', 'Ship $1 of $ARGUMENTS.\n');
    expect(textOf(command)).toBe(
      '---\nname: sample\ndescription: A sample.\n---\nShip $1 of $ARGUMENTS.\n',
    );
    expect(plan(command).fallbacks).toEqual([
      {
        artifact_id: 'ops/sample',
        capability: 'type:command',
        reason:
          'the harness has no placeholder for $1, $ARGUMENTS, so the prompt contains it unchanged',
      },
    ]);
  });
});

describe('a hook', () => {
  const hook = artifact(
    'type: hook\nhook_event: pre_shell_execution\nhook_action: check --now\nhook_timeout: 10\n',
  );

  test('is a flat entry beside the version, without a mark of ours', () => {
    const { entries, files } = plan(hook);
    expect(entries.map(({ path, entry }) => ({ path, ...entry }))).toEqual([
      expect.objectContaining({
        path: '.cursor/hooks.json',
        shape: 'map',
        container: [],
        key: 'version',
        value: 1,
        if_absent: true,
      }),
      expect.objectContaining({
        path: '.cursor/hooks.json',
        shape: 'array',
        container: ['hooks', 'beforeShellExecution'],
        recorded: 'lock',
        value: {
          command: expect.stringMatching(
            /\.catalog\/hooks\/cursor\.mjs.* pre_shell_execution ops\/sample 'check --now' 10$/,
          ),
          timeout: 15,
        },
      }),
    ]);
    expect(files.map(({ path }) => path)).toEqual(['.catalog/hooks/cursor.mjs']);
  });

  test('in the home folder finds its script there', () => {
    const [, entry] = plan(hook, cursor.user).entries;
    expect(JSON.stringify(entry?.entry.value)).toContain('$HOME');
  });

  test('for an event Cursor does not have is refused', () => {
    const denied = artifact('type: hook\nhook_event: permission_denied\nhook_action: "true"\n');
    expect(plan(denied).unsupported).toHaveLength(1);
  });
});

describe('a server', () => {
  test.each([
    [
      'command: npx\nargs: [-y, wh]\nenv: {KEY: "${secret:WH_KEY}"}\n',
      { type: 'stdio', command: 'npx', args: ['-y', 'wh'], env: { KEY: '${env:WH_KEY}' } },
    ],
    [
      'url: https://x.example/mcp\nheaders: {Authorization: "Bearer ${secret:T}"}\n',
      { url: 'https://x.example/mcp', headers: { Authorization: 'Bearer ${env:T}' } },
    ],
  ])('%j refers to its secrets as Cursor does', (keys, value) => {
    const [planned] = plan(artifact(`type: mcp-server\n${keys}`)).entries;
    expect(planned).toMatchObject({
      path: '.cursor/mcp.json',
      entry: { container: ['mcpServers'], key: 'sample', recorded: 'lock', value },
    });
  });
});
