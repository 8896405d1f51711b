import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLocalState } from '@catalog/consumer/lock/local-state';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/harness-programs/registry');
const FOUR = ['claude-code', 'cursor', 'codex', 'gemini-cli'];
const SYNC = `sync --registry ${FIXTURE} --harness ${FOUR.join(',')} --skip-unsupported`;
const WARNINGS = `warnings --registry ${FIXTURE} --harness ${FOUR.join(',')}`;

async function linesOf({ ok }: Workspace, command: string): Promise<string[]> {
  const { stdout, stderr } = await ok(command);
  return (stdout + stderr).trimEnd().split('\n');
}

describe('the output of sync', () => {
  test('has at most 12 lines for four harnesses, and one for each if nothing changed', async () => {
    const workspace = openWorkspace();
    const first = await linesOf(workspace, SYNC);
    expect(first.length).toBeLessThanOrEqual(12);
    expect(first.slice(0, 4)).toEqual([
      expect.stringMatching(/^claude-code {2}15 added, \d+ warnings$/),
      expect.stringMatching(/^cursor {7}14 added, \d+ warnings$/),
      expect.stringMatching(/^codex {8}13 added, 1 skipped, \d+ warnings$/),
      expect.stringMatching(/^gemini-cli {3}14 added, \d+ warnings$/),
    ]);
    expect(first[4]).toMatch(/^skipped demo\/commands\/greet \(codex\): /);

    const again = await linesOf(workspace, SYNC);
    expect(again).toHaveLength(4);
    for (const [index, harness] of FOUR.entries()) {
      expect(again[index]).toMatch(new RegExp(`^${harness} +up to date`));
    }
  });

  test('lists every file and all but minor warnings with --verbose, and all warnings with --json', async () => {
    const workspace = openWorkspace();
    const lines = await linesOf(workspace, `${SYNC} --verbose`);
    expect(lines).toContain('  + .claude/skills/alpha/scripts/count.sh');
    expect(lines.filter((line) => line.startsWith('  + '))).toHaveLength(15 + 14 + 13 + 14);
    const warning = lines.filter((line) => line.startsWith('warning ')).join('\n');
    const { document } = await workspace.json(SYNC);
    const fallbacks = Object(document)['targets'].flatMap(
      (target: { fallbacks: { artifact_id: string; reason: string; minor?: true }[] }) =>
        target.fallbacks,
    );
    expect(fallbacks.length).toBeGreaterThan(15);
    expect(fallbacks.some(({ minor }: { minor?: true }) => minor)).toBe(true);
    for (const { artifact_id, reason, minor } of fallbacks) {
      if (minor) expect(warning).not.toContain(reason);
      else {
        expect(warning).toContain(artifact_id);
        expect(warning).toContain(reason);
      }
    }
  });

  test('lists the planned changes with --dry-run', async () => {
    const { registry, ok } = openWorkspace(skill('ops/review'));
    const { stdout } = await ok(`sync --registry ${registry} --harness claude-code --dry-run`);
    expect(stdout).toBe('claude-code  1 to add\n  + .claude/skills/review/SKILL.md\n');
  });

  test('contains the target folder unless it is the working folder', async () => {
    const { registry, ok } = openWorkspace(skill('ops/review'));
    const sync = `sync --registry ${registry} --harness claude-code --target out`;
    expect((await ok(sync)).stdout).toBe('claude-code  1 added in out\n');
  });
});

describe('catalog warnings', () => {
  test('do not repeat an acknowledged warning until it changes or is reset', async () => {
    const workspace = openWorkspace();
    await workspace.ok(SYNC);
    const { document } = await workspace.json(WARNINGS);
    const warnings: { hash: string; acknowledged: boolean }[] = Object(document)['warnings'];
    expect(warnings.every(({ acknowledged }) => !acknowledged)).toBe(true);

    const { stdout } = await workspace.ok(`${WARNINGS} --acknowledge`);
    expect(stdout).toBe(`Acknowledged ${warnings.length} warnings\n`);
    expect(await linesOf(workspace, WARNINGS)).toContain(
      `${warnings.length} warnings, ${warnings.length} acknowledged`,
    );
    // After a change, sync prints its warnings; these are acknowledged.
    rmSync(join(workspace.root, '.claude/skills/alpha/SKILL.md'));
    expect(await linesOf(workspace, SYNC)).toEqual([
      'claude-code  1 added',
      'cursor       up to date',
      'codex        up to date, 1 skipped',
      'gemini-cli   up to date',
    ]);
    const state = join(workspace.root, '.catalog/state');
    const stored = openLocalState(workspace.root, workspace.home).read(
      'acknowledged-warnings.json',
    );
    const hashes: string[] = JSON.parse(String(stored));
    expect(hashes.toSorted()).toEqual(warnings.map(({ hash }) => hash).toSorted());
    expect(readFileSync(join(state, '.gitignore'), 'utf8')).toBe('*\n');

    expect((await workspace.ok(`${WARNINGS} --reset`)).stdout).toContain('Reset ');
    expect((await linesOf(workspace, SYNC))[0]).toMatch(
      /^claude-code {2}up to date, \d+ warnings$/,
    );
  });

  test('can acknowledge the warnings of one artifact', async () => {
    const workspace = openWorkspace({ ...rule('ops/tone'), ...rule('ops/style') });
    const flags = `--registry ${workspace.registry} --harness claude-code`;
    await workspace.ok(`sync ${flags}`);
    expect((await workspace.ok(`warnings ${flags} ops/tone --acknowledge`)).stdout).toBe(
      'Acknowledged 1 warning\n',
    );
    writeTree(workspace.registry, rule('ops/voice'));
    const { stdout } = await workspace.ok(`sync ${flags}`);
    expect(stdout).toMatch(/^claude-code {2}1 added, 2 warnings\nwarning ops\/style, ops\/voice: /);
    expect(stdout).not.toContain('ops/tone');
  });

  test('prints that there are no warnings', async () => {
    const { registry, ok } = openWorkspace(skill('ops/review'));
    const flags = `--registry ${registry} --harness claude-code`;
    expect((await ok(`warnings ${flags}`)).stdout).toBe('No warnings\n');
    expect((await ok(`warnings ${flags} --acknowledge`)).stdout).toBe('Acknowledged 0 warnings\n');
  });
});

/** Returns a rule with a mode that Claude Code does not support. */
function rule(id: string): Record<string, string> {
  return {
    [`${id}/ARTIFACT.md`]: `---\ntype: rule\nversion: 1.0.0\ndescription: Keep incident reports calm, for ${id}.\nrule_mode: explicit\n---\nBe calm about ${id}.\n`,
  };
}
