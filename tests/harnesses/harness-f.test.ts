import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { expectRefused } from './expect-refused.ts';
import { hookOf } from './native-hook.ts';
import { deliver, openPlace } from './place.ts';
import { AGENT, CONTEXT, SKILL, catalogOf } from './samples.ts';

describe('harness-f', () => {
  async function tree(): Promise<Record<string, string>> {
    const types = ['skill', 'agent', 'context', 'hook', 'mcp-server'] as const;
    return (await deliver('harness-f', catalogOf(...types))).tree();
  }

  test('writes exactly the expected files', async () => {
    expect(Object.keys(await tree())).toEqual([
      '.agents/skills/check/SKILL.md',
      '.agents/skills/check/assets/form.txt',
      '.agents/skills/check/references/policy.md',
      '.agents/skills/check/scripts/check.sh',
      '.catalog/context/ops/terms/ARTIFACT.md',
      '.catalog/context/ops/terms/more.md',
      '.catalog/resources/ops/log-stop/scripts/log.sh',
      '.catalog/resources/ops/triager/scripts/rank.py',
      '.harness-f/agents/triager.toml',
      '.harness-f/config.toml',
    ]);
  });

  verifies('HF-01', 'writes a skill to .agents', async () => {
    expect((await tree())['.agents/skills/check/SKILL.md']).toBe(SKILL);
  });

  verifies('HF-02', 'writes an agent as TOML', async () => {
    expect(parse((await tree())['.harness-f/agents/triager.toml'] ?? '')).toEqual({
      name: 'triager',
      description: 'Sorts incidents by weight.',
      developer_instructions: 'Rank with scripts/rank.py.\n',
    });
  });

  test('keeps the body of an agent with any characters', async () => {
    const prose = `A "b" 'c' \\d '''e''' """f""" \t é 🚀\r\n\n# [not a table]\nEnd'\n`;
    const place = await deliver('harness-f', {
      'ops/triager/ARTIFACT.md': AGENT.replace('Rank with scripts/rank.py.\n', prose),
    });
    const text = Buffer.from(place.tree()['.harness-f/agents/triager.toml'] ?? '', 'latin1');
    expect(parse(text.toString())['developer_instructions']).toBe(prose);
  });

  verifies(
    ['HF-04', 'HF-05'],
    'writes hooks and servers as tables of the configuration',
    async () => {
      const mine = '# mine\nmodel = "best" # really\n\n[mcp_servers.own]\ncommand = "own"\n';
      const place = openPlace('harness-f', catalogOf('hook', 'mcp-server'), {
        '.harness-f/config.toml': mine,
      });
      await place.sync();
      const text = place.tree()['.harness-f/config.toml'] ?? '';
      expect(text).toContain('# mine\nmodel = "best" # really\n');
      expect(parse(text)).toEqual({
        model: 'best',
        mcp_servers: {
          own: { command: 'own' },
          wh: { command: 'npx', args: ['wh-mcp'], env: { KEY: '${WH_KEY}' } },
        },
        hooks: {
          Stop: [
            {
              hooks: [
                {
                  type: 'command',
                  command: 'bash .catalog/resources/ops/log-stop/scripts/log.sh',
                },
              ],
            },
          ],
        },
      });
      // Removes them one by one, because removing everything at once needs --allow-removal (SPEC-73).
      place.withdraw('ops/log-stop');
      await place.sync();
      place.withdraw('ops/warehouse');
      await place.sync();
      expect(place.tree()).toEqual({ '.harness-f/config.toml': mine });
    },
  );

  verifies('HF-06', 'rejects a command in a workspace', () =>
    expectRefused('harness-f', 'command'),
  );

  verifies('HF-07', 'writes context under its id', async () => {
    expect((await tree())['.catalog/context/ops/terms/ARTIFACT.md']).toBe(CONTEXT);
  });

  test.each([
    'post_tool_use_failure',
    'pre_read_file',
    'post_file_edit',
    'permission_denied',
    'notification',
  ])('rejects a hook for %s because it does not have this event', async (event) => {
    const place = openPlace('harness-f', hookOf(event));
    const { code, message } = await place.refusal();
    expect(code).toBe('materialize.untranslatable');
    expect(message).toContain(`the harness has no event for ${event}`);
    expect(place.all()).toEqual({});
  });
});
