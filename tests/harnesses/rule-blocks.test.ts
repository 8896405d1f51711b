import { startRegistry } from '@catalog/testkit/registry-server';
import { describe, expect } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { ingestWarnings } from './ingest-warnings.ts';
import { lintWarnings } from './lint-warnings.ts';
import { openPlace } from './place.ts';
import { RULE, catalogOf, rule } from './samples.ts';

const HARNESSES = [
  {
    harness: 'harness-e',
    file: 'AGENTS.md',
    lands: ['HE-04', 'HE-05', 'RULE-15'],
    modes: { glob: 'RULE-16', auto: 'RULE-17', explicit: 'RULE-18' },
  },
  {
    harness: 'harness-f',
    file: 'AGENTS.md',
    lands: ['HF-03', 'RULE-19'],
    modes: { glob: 'RULE-20', auto: 'RULE-21', explicit: 'RULE-22' },
  },
  {
    harness: 'harness-g',
    file: 'HARNESS-G.md',
    lands: ['HG-04', 'RULE-27'],
    modes: { glob: 'RULE-28', auto: 'RULE-29', explicit: 'RULE-30' },
  },
  {
    harness: 'harness-h',
    file: 'AGENTS.md',
    lands: ['HH-03', 'RULE-23'],
    modes: { glob: 'RULE-24', auto: 'RULE-25', explicit: 'RULE-26' },
  },
];

const BLOCK = `<!-- catalog:begin:ops/no-friday -->\n${RULE}<!-- catalog:end:ops/no-friday -->\n`;

for (const { harness, file, lands, modes } of HARNESSES) {
  describe(`a rule on ${harness}`, () => {
    verifies(lands, `is added, changed and removed as a block of ${file} in place`, async () => {
      const [before, after] = ['# Ours\n\nBe kind.\n', '\n## And\n\nStay brief.\n'];
      const place = openPlace(harness, catalogOf('rule'), { [file]: before });
      await place.sync();
      expect(place.tree()[file]).toBe(`${before}\n${BLOCK}`);

      // The user adds text below the block, and the block keeps its position.
      place.edit(file, `${before}\n${BLOCK}${after}`);
      await place.sync();
      expect(place.tree()[file]).toBe(`${before}\n${BLOCK}${after}`);
      place.author({ 'ops/no-friday/ARTIFACT.md': rule('always').replace('Do not', 'Never') });
      await place.sync();
      const changed = BLOCK.replace('Do not', 'Never');
      expect(place.tree()[file]).toBe(`${before}\n${changed}${after}`);

      place.withdraw('ops/no-friday');
      await place.sync();
      expect(place.tree()[file]).not.toContain('catalog:');
      expect(place.tree()[file]?.replaceAll('\n\n\n', '\n\n')).toBe(before + after);
    });

    verifies('DROP-02', 'omits its bundled files', async () => {
      const place = openPlace(harness, catalogOf('rule'));
      await place.sync();
      expect(place.tree()).toEqual({ [file]: BLOCK });
      place.withdraw('ops/no-friday');
      await place.sync();
      expect(place.tree()).toEqual({});
    });

    for (const [mode, row] of Object.entries(modes)) {
      verifies(row, `with mode ${mode} is always loaded, with a warning`, async () => {
        const place = openPlace(harness, { 'ops/no-friday/ARTIFACT.md': rule(mode) });
        const { targets } = await place.sync();
        expect(place.tree()).toEqual({ [file]: BLOCK });
        expect(targets[0]?.fallbacks).toEqual([
          {
            artifact_id: 'ops/no-friday',
            reason: `${harness} has no rules of this mode, so the rule is in ${file} and is loaded always`,
          },
        ]);
        const named = rule(mode, `target_harnesses: [${harness}]\n`);
        const warning = expect.stringContaining(`${harness} supports \`rule_mode: ${mode}\``);
        expect(lintWarnings('ops/no-friday', named)).toEqual([warning]);
        const other = rule('always', `target_harnesses: [${harness}]\n`);
        const warned = await ingestWarnings({ 'ops/no-friday': named, 'ops/other': other });
        expect(warned).toEqual([{ id: 'ops/no-friday', warning }]);
      });
    }
  });
}

verifies('RULE-31', 'lint warns about harness-e, -f and -h only if the author targets them', () => {
  for (const mode of ['glob', 'auto', 'explicit']) {
    const warnings = lintWarnings('ops/no-friday', rule(mode)).join('\n');
    expect(warnings).not.toMatch(/harness-[efh]|opencode|codex|\bpi\b/);
    const otherFiles = rule(mode, 'target_harnesses: [harness-d]\n');
    expect(lintWarnings('ops/no-friday', otherFiles)).toEqual([]);
  }
});

verifies(
  ['RULE-03', 'RULE-04', 'RULE-28', 'RULE-29', 'RULE-30'],
  'lint and ingest warn about unsupported modes of harness-a and harness-g, even without target_harnesses',
  async () => {
    const expected = {
      glob: ['gemini-cli'],
      auto: ['claude-code', 'gemini-cli'],
      explicit: ['claude-code', 'gemini-cli'],
    };
    const server = await startRegistry();
    for (const [mode, names] of Object.entries(expected)) {
      const warning = `\`rule_mode: ${mode}\` has no equivalent in ${names.join(' and ')}, so the rule is always loaded there.`;
      expect(lintWarnings('ops/no-friday', rule(mode))).toEqual([warning]);
      const { advisories } = await server.ingest(
        { [`ops/${mode}/ARTIFACT.md`]: rule(mode) },
        { id: mode },
      );
      expect(advisories.map(({ reason }) => reason)).toContain(warning);
    }
    expect(lintWarnings('ops/no-friday', rule('always'))).toEqual([]);
    const suppressed = rule('auto', 'lint_suppress: [lint.harness_capability]\n');
    expect(lintWarnings('ops/no-friday', suppressed)).toEqual([]);
  },
);

verifies('HE-09', 'sync never writes to the other instruction files of harness-e', async () => {
  const other = { 'CLAUDE.md': '# Another\n', '.harness-e/INSTRUCTIONS.md': '# One more\n' };
  const place = openPlace('harness-e', catalogOf('rule'), { ...other, 'AGENTS.md': '# Ours\n' });
  await place.sync();
  expect(place.tree()).toEqual({ ...other, 'AGENTS.md': `# Ours\n\n${BLOCK}` });
  const alone = openPlace('harness-e', catalogOf('rule'), other);
  await alone.sync();
  expect(alone.tree()).toEqual({ ...other, 'AGENTS.md': BLOCK });
});
