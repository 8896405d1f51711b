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

describe('Cursor rule', () => {
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
  ])('writes the keys description, globs and alwaysApply for %j', (keys, head) => {
    expect(textOf(artifact(`type: rule\n${keys}`))).toBe(`---\n${head}\n---\nProse.\n`);
  });

  test('joins patterns on several lines into one line', () => {
    const keys = 'type: rule\nrule_mode: glob\nrule_globs: "a\\nalwaysApply: true\\n---\\nb"\n';
    expect(textOf(artifact(keys))).toContain('\nglobs: a,alwaysApply: true,---,b\n');
  });

  test('is rejected if its braces expand to too many patterns', () => {
    const many = (times: number) =>
      plan(artifact(`type: rule\nrule_mode: glob\nrule_globs: "${'{a,b}'.repeat(times)}"\n`));
    expect(many(8).unsupported).toEqual([]);
    expect(many(60).unsupported[0]?.reason).toContain('more than 256');
  });

  test('is rejected in the home directory, where Cursor reads no rules', () => {
    const { unsupported } = plan(artifact('type: rule\n'), cursor.user);
    expect(unsupported[0]?.reason).toContain('author it as a skill');
  });
});

describe('Cursor agent', () => {
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
  ])('with %j is written with keys of the product: %j', (keys, own) => {
    expect(textOf(artifact(`type: agent\n${keys}`))).toBe(
      `---\nname: sample\ndescription: A sample.\n${own}---\nProse.\n`,
    );
  });
});

describe('Cursor command', () => {
  test('keeps its placeholders and warns that Cursor does not expand them', () => {
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

describe('Cursor hook', () => {
  const hook = artifact(
    'type: hook\nhook_event: pre_shell_execution\nhook_action: check --now\nhook_timeout: 10\n',
  );

  test('is an entry without a mark, next to the version', () => {
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

  test('in the home directory uses the script there', () => {
    const [, entry] = plan(hook, cursor.user).entries;
    expect(JSON.stringify(entry?.entry.value)).toContain('$HOME');
  });

  test('is rejected if Cursor does not have its event', () => {
    const denied = artifact('type: hook\nhook_event: permission_denied\nhook_action: "true"\n');
    expect(plan(denied).unsupported).toHaveLength(1);
  });
});

describe('Cursor MCP server', () => {
  test.each([
    [
      'command: npx\nargs: [-y, wh]\nenv: {KEY: "${secret:WH_KEY}"}\n',
      { type: 'stdio', command: 'npx', args: ['-y', 'wh'], env: { KEY: '${env:WH_KEY}' } },
    ],
    [
      'url: https://x.example/mcp\nheaders: {Authorization: "Bearer ${secret:T}"}\n',
      { url: 'https://x.example/mcp', headers: { Authorization: 'Bearer ${env:T}' } },
    ],
  ])("with %j references secrets in Cursor's syntax", (keys, value) => {
    const [planned] = plan(artifact(`type: mcp-server\n${keys}`)).entries;
    expect(planned).toMatchObject({
      path: '.cursor/mcp.json',
      entry: { container: ['mcpServers'], key: 'sample', recorded: 'lock', value },
    });
  });
});
