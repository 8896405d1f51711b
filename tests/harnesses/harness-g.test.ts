import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { hookOf } from './native-hook.ts';
import { deliver, openPlace } from './place.ts';
import { AGENT, COMMAND, CONTEXT, SKILL, catalogOf } from './samples.ts';

describe('harness-g', () => {
  async function tree(): Promise<Record<string, string>> {
    const types = ['skill', 'agent', 'command', 'context', 'hook', 'mcp-server'] as const;
    return (await deliver('harness-g', catalogOf(...types))).tree();
  }

  test('writes exactly the expected files', async () => {
    expect(Object.keys(await tree())).toEqual([
      '.catalog/context/ops/terms/ARTIFACT.md',
      '.catalog/context/ops/terms/more.md',
      '.catalog/resources/ops/log-stop/scripts/log.sh',
      '.catalog/resources/ops/ship/templates/note.md',
      '.catalog/resources/ops/triager/scripts/rank.py',
      '.harness-g/agents/triager.md',
      '.harness-g/commands/ship.toml',
      '.harness-g/settings.json',
      '.harness-g/skills/check/SKILL.md',
      '.harness-g/skills/check/assets/form.txt',
      '.harness-g/skills/check/references/policy.md',
      '.harness-g/skills/check/scripts/check.sh',
    ]);
  });

  verifies('HG-01', 'writes a skill to its own folder', async () => {
    expect((await tree())['.harness-g/skills/check/SKILL.md']).toBe(SKILL);
  });

  verifies('HG-02', 'writes an agent as one file', async () => {
    expect((await tree())['.harness-g/agents/triager.md']).toBe(AGENT);
  });

  verifies('HG-03', 'writes a command as TOML with one placeholder for all arguments', async () => {
    expect(parse((await tree())['.harness-g/commands/ship.toml'] ?? '')).toEqual({
      description: 'Starts a release.',
      prompt: 'Ship {{args}} as in templates/note.md.\n',
    });
  });

  verifies('HG-03', 'rejects a command with positional arguments', async () => {
    const positional = COMMAND.replace('$ARGUMENTS', '$2');
    const place = openPlace('harness-g', { 'ops/ship/ARTIFACT.md': positional });
    const { code, message } = await place.refusal();
    expect(code).toBe('materialize.untranslatable');
    expect(message).toContain('no positional arguments such as $2; use $ARGUMENTS');
    expect(place.all()).toEqual({});
  });

  verifies(['HG-05', 'HG-06'], 'merges hooks and servers into the settings', async () => {
    const mine = '{\n  // mine\n  "theme": "dark"\n}\n';
    const place = openPlace('harness-g', catalogOf('hook', 'mcp-server'), {
      '.harness-g/settings.json': mine,
    });
    await place.sync();
    const text = place.tree()['.harness-g/settings.json'] ?? '';
    expect(text).toContain('  // mine\n');
    expect(JSON.parse(text.replace('// mine', ''))).toEqual({
      theme: 'dark',
      hooks: {
        AfterAgent: [
          {
            hooks: [
              {
                type: 'command',
                command: 'bash .catalog/resources/ops/log-stop/scripts/log.sh',
              },
            ],
            'x-catalog-id': 'ops/log-stop',
          },
        ],
      },
      mcpServers: { wh: { command: 'npx', args: ['wh-mcp'], env: { KEY: '${WH_KEY}' } } },
      'x-catalog': { 'ops/warehouse': ['mcpServers', 'wh'] },
    });
    // Removes them one by one, because removing everything at once needs --allow-removal (SPEC-73).
    place.withdraw('ops/log-stop');
    await place.sync();
    place.withdraw('ops/warehouse');
    await place.sync();
    expect(place.tree()).toEqual({ '.harness-g/settings.json': mine });
  });

  verifies('HG-07', 'writes context under its id', async () => {
    expect((await tree())['.catalog/context/ops/terms/ARTIFACT.md']).toBe(CONTEXT);
  });

  test.each([
    'user_prompt_submit',
    'post_tool_use_failure',
    'pre_read_file',
    'post_file_edit',
    'permission_request',
    'permission_denied',
    'post_compact',
  ])('rejects a hook for %s because it does not have this event', async (event) => {
    const place = openPlace('harness-g', hookOf(event));
    expect((await place.refusal()).message).toContain(`the harness has no event for ${event}`);
    expect(place.all()).toEqual({});
  });
});
