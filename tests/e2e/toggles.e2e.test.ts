import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree, writeTree } from '@catalog/testkit/temporary-folder';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

const ONE = '.claude/skills/one/SKILL.md';

/** A workspace that delivers `a/one` and `b/two` to Claude Code; `more` ends its `sync.yaml`. */
async function openSynced(more = ''): Promise<Workspace> {
  const workspace = openWorkspace({ ...skill('a/one'), ...skill('b/two') });
  configure(workspace, more);
  await workspace.ok('sync');
  return workspace;
}

function configure({ root, registry }: Workspace, more: string): void {
  const text = `defaults:\n  registry: ${registry}\n  harness: claude-code\n${more}`;
  writeTree(root, { '.catalog/sync.yaml': text });
}

function delivered({ root }: Workspace): string[] {
  return Object.keys(readTree(root)).filter((path) => path.startsWith('.claude/'));
}

describe('defaults.exclude', () => {
  test('of every file applies, and config show names each', async () => {
    const workspace = await openSynced('  exclude: [b/two]\n');
    const { root, home } = workspace;
    expect(delivered(workspace)).toEqual([ONE]);
    writeTree(home, { '.catalog/sync.yaml': 'defaults: {exclude: ["a/*"]}\n' });
    const none = await workspace.ok('sync');
    expect(none.stdout).toContain('No artifact of');
    expect(delivered(workspace)).toEqual([]);
    const shown = (await workspace.ok('config show')).stdout;
    expect(shown).toMatch(/^defaults\.exclude +\["a\/\*"\] +~\/\.catalog\/sync\.yaml$/m);
    expect(shown).toMatch(/^defaults\.exclude +\["b\/two"\] +\.catalog\/sync\.yaml$/m);
    const explained = await workspace.json('config show --explain defaults.exclude');
    expect(explained.document).toMatchObject({
      value: ['b/two', 'a/*'],
      places: [
        { value: ['b/two'], origin: { name: join(root, '.catalog/sync.yaml') }, in_force: true },
        { value: ['a/*'], origin: { name: join(home, '.catalog/sync.yaml') }, in_force: true },
      ],
    });
    const text = (await workspace.ok('config show --explain defaults.exclude')).stdout;
    expect(text.match(/in force/g)).toHaveLength(2);
    expect(text).not.toContain('overruled');
  });
});
