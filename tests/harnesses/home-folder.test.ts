import { describe, expect, test } from 'vitest';
import { openPlace } from './place.ts';
import { COMMAND, SKILL, catalogOf } from './samples.ts';

describe('the home folder as the workspace', () => {
  test('harness-i installs skills and servers', async () => {
    const mine = '# mine\nmodel: best\nmcp_servers:\n  own: {command: own} # keep\n';
    const place = openPlace(
      'harness-i',
      catalogOf('skill', 'mcp-server'),
      { '.harness-i/config.yaml': mine },
      'user',
    );
    await place.sync();
    const files = place.tree();
    expect(files['.harness-i/skills/check/SKILL.md']).toBe(SKILL);
    expect(files['.harness-i/config.yaml']).toBe(
      `${mine}  wh:\n    command: npx\n    args:\n      - wh-mcp\n    env:\n      KEY: "\${WH_KEY}"\n`,
    );
    place.withdraw('ops/warehouse');
    place.withdraw('ops/check');
    await place.sync({ allow_removal: true });
    expect(place.tree()).toEqual({ '.harness-i/config.yaml': mine });
  });

  test.each(['hook', 'command', 'agent'] as const)('harness-i rejects %s', async (type) => {
    const place = openPlace('harness-i', catalogOf(type), {}, 'user');
    const { code, message } = await place.refusal();
    expect(code).toBe('materialize.untranslatable');
    expect(message).toContain('leave harness-i out with target_harnesses');
    expect(place.all()).toEqual({});
  });

  test('harness-f installs commands', async () => {
    const place = openPlace('harness-f', catalogOf('command'), {}, 'user');
    await place.sync();
    expect(place.tree()['.harness-f/prompts/ship.md']).toBe(COMMAND);
  });

  test.each([
    ['harness-a', '.harness-a.json', 'mcpServers'],
    ['harness-e', '.config/harness-e/opencode.json', 'mcp'],
  ])('%s reads its servers from %s', async (harness, file, container) => {
    const place = openPlace(harness, catalogOf('mcp-server'), {}, 'user');
    await place.sync();
    expect(Object.keys(place.tree())).toEqual([file]);
    expect(JSON.parse(place.tree()[file] ?? '')[container]).toHaveProperty('wh');
  });
});
