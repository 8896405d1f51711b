import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { expectRefused } from './expect-refused.ts';
import { deliver, openPlace } from './place.ts';
import { COMMAND, CONTEXT, SKILL, catalogOf } from './samples.ts';

describe('harness-h', () => {
  test('writes exactly the expected files', async () => {
    const place = await deliver('harness-h', catalogOf('skill', 'command', 'context'));
    expect(Object.keys(place.tree())).toEqual([
      '.catalog/context/ops/terms/ARTIFACT.md',
      '.catalog/context/ops/terms/more.md',
      '.catalog/resources/ops/ship/templates/note.md',
      '.harness-h/prompts/ship.md',
      '.harness-h/skills/check/SKILL.md',
      '.harness-h/skills/check/assets/form.txt',
      '.harness-h/skills/check/references/policy.md',
      '.harness-h/skills/check/scripts/check.sh',
    ]);
  });

  verifies('HH-01', 'writes a skill to its own folder', async () => {
    const place = await deliver('harness-h', catalogOf('skill'));
    expect(place.tree()['.harness-h/skills/check/SKILL.md']).toBe(SKILL);
  });

  verifies('HH-02', 'keeps the placeholders of a command', async () => {
    const own = COMMAND.replace('$ARGUMENTS', '$1 of $@ for {{var}}');
    const place = await deliver('harness-h', { 'ops/ship/ARTIFACT.md': own });
    expect(place.tree()).toEqual({ '.harness-h/prompts/ship.md': own });
  });

  verifies('HH-04', 'rejects an agent', () => expectRefused('harness-h', 'agent'));
  verifies('HH-05', 'rejects a hook', () => expectRefused('harness-h', 'hook'));
  verifies('HH-06', 'rejects an mcp-server', () => expectRefused('harness-h', 'mcp-server'));

  verifies('HH-07', 'writes context under its id', async () => {
    const place = await deliver('harness-h', catalogOf('context'));
    expect(place.tree()['.catalog/context/ops/terms/ARTIFACT.md']).toBe(CONTEXT);
  });

  test('rejects a skill with an unsupported restriction', async () => {
    const place = openPlace('harness-h', {
      ...catalogOf('skill'),
      'ops/check/ARTIFACT.md':
        '---\ntype: skill\nversion: 1.0.0\nsandbox_profile: read-only-fs\n---\n',
    });
    const { code, message } = await place.refusal();
    expect(code).toBe('materialize.untranslatable');
    expect(message).toContain('sandbox_profile');
    expect(place.all()).toEqual({});
  });
});
