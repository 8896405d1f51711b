import { describe, expect, test } from 'vitest';
import { readTree, writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import { openWorkspace, skill } from './workspace.ts';

/** Long enough that 30 of these descriptions exceed the limit of Claude Code. */
const LONG = 'Use this skill when a release is to be checked before it ships. '.repeat(6).trim();

function manySkills(count: number, description: string): FileTree {
  return Object.assign(
    {},
    ...Array.from({ length: count }, (_, index) => skill(`ops/check-${index}`, description)),
  );
}

describe('catalog budget', () => {
  test('shows the used characters and the source of the limit, and writes nothing', async () => {
    const workspace = openWorkspace(skill('ops/check', 'Check a release before it ships.'));
    const { stdout } = await workspace.ok(
      `budget --registry ${workspace.registry} --harness claude-code,harness-a`,
    );
    expect(stdout).toContain('claude-code 1 description uses 42 of 1,871 characters\n');
    expect(stdout).toContain('Claude Code 2.1.325');
    expect(stdout).toContain('harness-a no published limit; 1 skill selected\n');
    expect(readTree(workspace.root)).toEqual({});
  });

  test('lists the descriptions to shorten if they exceed the limit', async () => {
    const workspace = openWorkspace({
      ...manySkills(29, LONG),
      ...skill('ops/longest', `${LONG} And more.`),
    });
    const run = `budget --registry ${workspace.registry} --harness claude-code`;
    const { stdout } = await workspace.ok(run);
    expect(stdout).toMatch(/30 descriptions use 11,\d+ of 1,871 characters: \d+ would be dropped/);
    expect(stdout).toMatch(/Shorten these 30 to \d+ characters to fit the limit:/);
    expect(stdout).toMatch(/characters +over\n +ops\/longest +393 +\d+\n/);
    const { document } = await workspace.json(run);
    expect(document['targets']).toMatchObject([
      {
        harness: 'claude-code',
        published: { listing: { limit: 8000, unit: 'characters' } },
        use: { entries: 30, to_shorten: 30 },
      },
    ]);
  });

  test('applies a higher limit for a larger context', async () => {
    const workspace = openWorkspace(manySkills(30, LONG));
    const run = `budget --registry ${workspace.registry} --harness claude-code --context 1000000`;
    const { stdout } = await workspace.ok(run);
    expect(stdout).toMatch(/30 descriptions use 11,\d+ of 33,871 characters\n/);
    expect(stdout).toContain('1% of a context of 1,000,000 tokens');
    expect(stdout).not.toContain('Shorten');
    const { error } = await workspace.error('budget --context many');
    expect(error.message).toContain('--context must be an integer');
  });

  test('reports if the names alone exceed the limit, and if a harness supports none of the artifacts', async () => {
    const workspace = openWorkspace(manySkills(30, LONG));
    const run = `budget --registry ${workspace.registry}`;
    const small = await workspace.ok(`${run} --harness claude-code --context 1000`);
    expect(small.stdout).toContain('The names alone exceed the limit: install fewer skills.\n');
    const none = await workspace.ok(`${run} --harness claude-cowork`);
    expect(none.stdout).toBe(
      'claude-cowork no published limit; 0 skills selected, 30 artifacts not supported\n',
    );
  });

  test('reports if no skills are selected', async () => {
    const workspace = openWorkspace();
    const { stdout } = await workspace.ok(
      `budget --registry ${workspace.registry} --harness claude-code,none`,
    );
    expect(stdout).toContain('claude-code no skills selected\n');
    expect(stdout).toContain('none no published limit; 0 skills selected\n');
  });

  test('reports if only marketplaces are configured', async () => {
    const workspace = openWorkspace(manySkills(1, LONG));
    writeTree(workspace.root, {
      '.catalog/sync.yaml': `defaults: {registry: ${workspace.registry}}\ntargets:\n  - {id: pub, kind: marketplace, harness: claude-code, target: pub, plugins: [{name: all, include: ["**"]}]}\n`,
    });
    const { stdout } = await workspace.ok('budget');
    expect(stdout).toBe(
      'Nothing to measure: only marketplaces are configured. Pass a harness with --harness.\n',
    );
  });

  test('is shown as a warning of sync, and is counted if sync has nothing to do', async () => {
    const workspace = openWorkspace(manySkills(30, LONG));
    const sync = `sync --registry ${workspace.registry} --harness claude-code`;
    const line =
      /30 descriptions use [\d,]+ of 1,871 characters: \d+ would be dropped; run `catalog budget` to see which to shorten\n/;
    expect((await workspace.ok(sync)).stdout).toMatch(line);
    const again = (await workspace.ok(sync)).stdout;
    expect(again).toBe('claude-code  up to date, 1 warning\n');
    expect((await workspace.ok(`${sync} --verbose`)).stdout).toMatch(line);
  });
});
