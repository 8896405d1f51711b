import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { expectRefused } from './expect-refused.ts';
import { deliver, openPlace } from './place.ts';
import { AGENT, COMMAND, CONTEXT, SKILL, catalogOf } from './samples.ts';

describe('harness-e', () => {
  async function tree(): Promise<Record<string, string>> {
    const types = ['skill', 'agent', 'command', 'context', 'mcp-server'] as const;
    return (await deliver('harness-e', catalogOf(...types))).tree();
  }

  test('writes exactly the expected files', async () => {
    expect(Object.keys(await tree())).toEqual([
      '.catalog/context/ops/terms/ARTIFACT.md',
      '.catalog/context/ops/terms/more.md',
      '.catalog/resources/ops/ship/templates/note.md',
      '.catalog/resources/ops/triager/scripts/rank.py',
      '.harness-e/agents/triager.md',
      '.harness-e/commands/ship.md',
      '.harness-e/skills/check/SKILL.md',
      '.harness-e/skills/check/assets/form.txt',
      '.harness-e/skills/check/references/policy.md',
      '.harness-e/skills/check/scripts/check.sh',
      'opencode.json',
    ]);
  });

  verifies('HE-01', 'writes a skill to its own folder', async () => {
    expect((await tree())['.harness-e/skills/check/SKILL.md']).toBe(SKILL);
  });

  verifies('HE-02', 'writes an agent as one file', async () => {
    expect((await tree())['.harness-e/agents/triager.md']).toBe(AGENT);
  });

  verifies('HE-03', 'keeps the placeholders of a command', async () => {
    const positional = COMMAND.replace('$ARGUMENTS', '$ARGUMENTS, $1 before $2');
    const place = await deliver('harness-e', { 'ops/ship/ARTIFACT.md': positional });
    expect(place.tree()).toEqual({ '.harness-e/commands/ship.md': positional });
  });

  verifies('HE-06', 'merges a server into opencode.json', async () => {
    const mine = '{\n  // mine\n  "theme": "dark"\n}\n';
    const place = openPlace('harness-e', catalogOf('mcp-server'), { 'opencode.json': mine });
    await place.sync();
    const text = place.tree()['opencode.json'] ?? '';
    expect(text).toContain('  // mine\n');
    expect(JSON.parse(text.replace('// mine', ''))).toEqual({
      theme: 'dark',
      mcp: {
        wh: {
          type: 'local',
          command: ['npx', 'wh-mcp'],
          enabled: true,
          environment: { KEY: '{env:WH_KEY}' },
        },
      },
    });
    place.withdraw('ops/warehouse');
    await place.sync();
    expect(place.tree()).toEqual({ 'opencode.json': mine });
  });

  test('writes a server with a URL as remote, with its headers', async () => {
    const remote =
      '---\ntype: mcp-server\nversion: 1.0.0\nname: tickets\ndescription: Tickets of the team.\nurl: https://t.example/mcp\nheaders: {Authorization: "Bearer ${secret:T}"}\n---\n';
    const place = await deliver('harness-e', { 'ops/tickets/ARTIFACT.md': remote });
    expect(JSON.parse(place.tree()['opencode.json'] ?? '')).toEqual({
      mcp: {
        tickets: {
          type: 'remote',
          url: 'https://t.example/mcp',
          enabled: true,
          headers: { Authorization: 'Bearer {env:T}' },
        },
      },
    });
  });

  verifies('HE-07', 'rejects a hook', () => expectRefused('harness-e', 'hook'));

  verifies('HE-08', 'writes context under its id', async () => {
    expect((await tree())['.catalog/context/ops/terms/ARTIFACT.md']).toBe(CONTEXT);
  });
});
