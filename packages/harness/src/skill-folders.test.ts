import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseSkillFolders } from './skill-folders.ts';

const CLAUDE = { id: 'claude', skill_folders: ['.claude/skills'] };
const CODEX = { id: 'codex', skill_folders: ['.agents/skills', '.codex/skills'] };
const OPENCODE = {
  id: 'opencode',
  skill_folders: ['.opencode/skills', '.claude/skills', '.agents/skills'],
};
const AMP = { id: 'amp', skill_folders: ['.agents/skills'] };

describe('chooseSkillFolders', () => {
  test('selects the own directory of a single harness', () => {
    expect([...chooseSkillFolders([OPENCODE]).folders]).toEqual([['opencode', '.opencode/skills']]);
  });

  test('selects one directory that two harnesses share', () => {
    const { folders, repeated } = chooseSkillFolders([CODEX, OPENCODE]);
    expect([...folders.values()]).toEqual(['.agents/skills', '.agents/skills']);
    expect(repeated.size).toBe(0);
  });

  test('avoids the common directory if a third harness would find the skill twice', () => {
    const { folders, repeated } = chooseSkillFolders([CLAUDE, CODEX, OPENCODE]);
    expect(Object.fromEntries(folders)).toEqual({
      claude: '.claude/skills',
      codex: '.codex/skills',
      opencode: '.claude/skills',
    });
    expect(repeated.size).toBe(0);
  });

  test('does not report duplicates for a harness that deduplicates skills', () => {
    const cursor = { id: 'cursor', skill_folders: ['.cursor/skills'] };
    const copilot = {
      id: 'copilot',
      skill_folders: ['.github/skills', '.claude/skills', '.cursor/skills'],
    };
    expect(chooseSkillFolders([CLAUDE, cursor, copilot]).repeated.has('copilot')).toBe(true);
    const deduplicating = { ...copilot, deduplicates_skills: 'by_name' } as const;
    const { folders, repeated } = chooseSkillFolders([CLAUDE, cursor, deduplicating]);
    expect(repeated.size).toBe(0);
    expect(folders.get('copilot')).toBe('.claude/skills');
  });

  test('avoids directories of harnesses that exclude the skill, if possible', () => {
    const codex = chooseSkillFolders([CODEX], [], [AMP, OPENCODE]);
    expect(codex.folders.get('codex')).toBe('.codex/skills');
    const amp = chooseSkillFolders([AMP], [], [CODEX]);
    expect(amp.folders.get('amp')).toBe('.agents/skills');
  });

  test('reports an unavoidable duplicate', () => {
    const { folders, repeated } = chooseSkillFolders([CLAUDE, AMP, OPENCODE]);
    expect(folders.get('opencode')).toBe('.claude/skills');
    expect([...repeated]).toEqual([['opencode', ['.claude/skills', '.agents/skills']]]);
  });

  test('selects the existing directory of a harness in another run', () => {
    const { folders, repeated } = chooseSkillFolders([OPENCODE], ['.claude/skills']);
    expect(folders.get('opencode')).toBe('.claude/skills');
    expect(repeated.size).toBe(0);
  });
});

test('chooseSkillFolders finds a minimal choice without duplicates whenever there is one', () => {
  const FOLDERS = ['a', 'b', 'c', 'd', 'e'];
  const reader = fc.uniqueArray(fc.constantFrom(...FOLDERS), { minLength: 1, maxLength: 4 });
  const held = fc.uniqueArray(fc.constantFrom(...FOLDERS), { maxLength: 2 });
  fc.assert(
    fc.property(fc.array(reader, { minLength: 1, maxLength: 6 }), held, (lists, lying) => {
      const readers = lists.map((skill_folders, index) => ({ id: `h${index}`, skill_folders }));
      const { folders, repeated } = chooseSkillFolders(readers, lying);
      const best = smallest(lists, lying, FOLDERS);
      expect(repeated.size === 0).toBe(best !== undefined);
      for (const { id, skill_folders } of readers) {
        expect(skill_folders).toContain(folders.get(id));
      }
      if (best === undefined) return;
      const used = new Set([...lying, ...folders.values()]);
      expect(used.size).toBe(best.size);
      for (const list of lists) expect(list.filter((folder) => used.has(folder))).toHaveLength(1);
    }),
    { numRuns: 2_000 },
  );
});

function smallest(
  lists: readonly (readonly string[])[],
  held: readonly string[],
  all: readonly string[],
): Set<string> | undefined {
  let best: Set<string> | undefined;
  for (let bits = 0; bits < 2 ** all.length; bits += 1) {
    const used = new Set(all.filter((_, index) => (bits & (2 ** index)) !== 0));
    if (held.some((folder) => !used.has(folder))) continue;
    const exact = lists.every((list) => list.filter((folder) => used.has(folder)).length === 1);
    if (exact && (best === undefined || used.size < best.size)) best = used;
  }
  return best;
}
