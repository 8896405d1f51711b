import { expect } from 'vitest';
import { adapters, loadAdapter } from '@catalog/harness/registry';
import { verifies } from '@catalog/testkit/verifies';
import { deliver, openPlace } from './place.ts';
import { SKILL, catalogOf } from './samples.ts';

const NEUTRAL = [
  'none',
  'harness-a',
  'harness-b',
  'harness-c',
  'harness-d',
  'harness-e',
  'harness-f',
  'harness-g',
  'harness-h',
  'harness-i',
];

verifies('DELIV-08', 'the harnesses of the specification are accepted, in its order', async () => {
  expect([...adapters.keys()].filter((id) => NEUTRAL.includes(id))).toEqual(NEUTRAL);
  for (const id of NEUTRAL) {
    expect(loadAdapter(id)).toMatchObject({ id, label: id });
    const { targets } = await openPlace(id, {}).sync();
    expect(targets[0]?.harness).toBe(id);
  }
  const { code, details } = await openPlace('harness-j', {}).refusal();
  expect(code).toBe('config.unknown_harness');
  expect(details['available']).toEqual(expect.arrayContaining(NEUTRAL));
});

verifies(
  'CANON-04',
  'the bundled files of a skill are next to it in every harness that supports skills',
  async () => {
    const takers = [...adapters.values()].filter(({ skill_folders }) => skill_folders.length > 0);
    expect(takers.length).toBeGreaterThanOrEqual(6);
    for (const { id, skill_folders } of takers) {
      const place = await deliver(id, catalogOf('skill'));
      const folder = `${skill_folders[0]}/check`;
      expect(place.tree()).toMatchObject({
        [`${folder}/SKILL.md`]: SKILL,
        [`${folder}/scripts/check.sh`]: '(x) #!/bin/sh\n',
        [`${folder}/references/policy.md`]: 'Never on Fridays.\n',
        [`${folder}/assets/form.txt`]: 'Form.\n',
      });
    }
  },
);

const BEYOND: [string, string, string[]][] = [
  ['harness-h', 'type: agent', ['type:agent', 'field:description']],
  ['harness-c', 'type: rule\nrule_mode: explicit', ['rule_mode:explicit']],
  ['harness-f', 'type: agent\ndelegates_to: [ops/other]', ['field:delegates_to']],
];

verifies('ERR-60', 'an unsupported type, mode or field is rejected and reported', async () => {
  for (const [harness, keys, capabilities] of BEYOND) {
    const manifest = `---\n${keys}\nname: bot\nversion: 1.0.0\ndescription: Sorts mail.\n---\nGo.\n`;
    const place = openPlace(harness, { 'ops/bot/ARTIFACT.md': manifest });
    const { code, details } = await place.refusal();
    expect(code).toBe('materialize.untranslatable');
    expect(details).toMatchObject({
      harness,
      unsupported: [{ artifact_id: 'ops/bot', harness, capabilities }],
    });
    expect(place.all()).toEqual({});
  }
});
