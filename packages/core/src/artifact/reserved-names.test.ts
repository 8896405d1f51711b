import { describe, expect, test } from 'vitest';
import { reservedName, versionControlName } from './reserved-names.ts';
import { pathProblem } from './safe-path.ts';
import { reservedProblem, writeProblem } from './write-problem.ts';

const PLAIN = ['.git', '.hg', '.svn', '.jj', '.catalog'] as const;

function spellings(name: string): [rule: string, spelling: string][] {
  const bare = name.slice(1);
  return [
    ['as it is', name],
    ['upper case', name.toUpperCase()],
    ['mixed case', name.replace(/[a-z]/, (letter) => letter.toUpperCase())],
    ['trailing dot', `${name}.`],
    ['trailing dots and spaces', `${name}. . `],
    ['trailing space', `${name} `],
    ['stream', `${name}:stream`],
    ['index stream', `${name}::$INDEX_ALLOCATION`],
    ['dots before a stream', `${name} .::$DATA`],
    ['short name', `${bare.slice(0, 6)}~1`],
    ['short name in upper case', `${bare.slice(0, 6).toUpperCase()}~2`],
    ['short name with several digits', `${bare.slice(0, 6)}~10`],
    ['short name of a checksum', `${bare.slice(0, 2).toUpperCase()}2E09~1`],
    ['short name with a trailing dot', `${bare.slice(0, 6)}~1.`],
    ['full-width letters', full(name)],
    ['full-width dot', `\u{FF0E}${bare}`],
    ['one-dot leader', `\u{2024}${bare}`],
    ...IGNORABLE.flatMap((point): [string, string][] => [
      [`U+${point.toString(16)} in front`, `${String.fromCodePoint(point)}${name}`],
      [`U+${point.toString(16)} inside`, `.${String.fromCodePoint(point)}${bare}`],
      [`U+${point.toString(16)} at the end`, `${name}${String.fromCodePoint(point)}`],
    ]),
  ];
}

function full(name: string): string {
  return name.replaceAll(/[!-~]/g, (letter) =>
    String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
  );
}

/** All code points that git ignores in names, and one of each additional range that ext4 ignores. */
const IGNORABLE = [
  0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x206a, 0x206b, 0x206c,
  0x206d, 0x206e, 0x206f, 0xfeff, 0xad, 0x34f, 0x61c, 0x180e, 0x200b, 0x2060, 0x2066, 0xfe0f,
  0xe0041,
];

const TABLE = PLAIN.flatMap((name) =>
  spellings(name).map(([rule, spelling]) => [name, rule, spelling] as const),
);

describe('reservedName', () => {
  test.each(TABLE)('finds %s in the spelling "%s", %j', (name, _, spelling) => {
    expect(reservedName(spelling)).toBe(name);
    expect(versionControlName(spelling)).toBe(name === '.catalog' ? undefined : name);
  });

  test.each([
    ['.svn', '.\u{17F}vn'],
    ['.svn', '.\u{17F}VN'],
    ['.git', '.g\u{131}t'],
  ])('finds %s if a letter has the same upper case, %j', (name, spelling) => {
    expect(reservedName(spelling)).toBe(name);
  });

  test.each([
    'git',
    '.github',
    '.gitignore',
    '.gitmodules',
    '.gitattributes',
    '.gitlab-ci.yml',
    '.git2',
    'x.git',
    'project.git',
    'git~',
    'git~x',
    'backup~1',
    'notes~',
    '.hgignore',
    '.hgtags',
    '.jjconfig.toml',
    'catalog',
    'catalog~1',
    '.catalogue',
    '.catalogs',
    'cafe12~x',
    '.claude',
    '日本語',
    'naïve',
    '.',
    '..',
    '',
    ':',
  ])('returns undefined for %j', (name) => {
    expect(reservedName(name)).toBeUndefined();
  });
});

const CONTROLLED = TABLE.filter(([name]) => name !== '.catalog');

describe('path checks for every path that catalog writes', () => {
  test.each(CONTROLLED)('reject %s in the spelling "%s", %j', (_, __, spelling) => {
    for (const path of [spelling, `${spelling}/hooks/x`, `a/${spelling}`, `a/${spelling}/b`]) {
      expect(pathProblem(path), path).toBeDefined();
      for (const purpose of ['target', 'deliver', 'settings', 'author'] as const) {
        expect(writeProblem(path, purpose), path).toBeDefined();
        expect(reservedProblem(path, purpose), path).toMatch(/belongs to version control$/);
        expect(reservedProblem(`/home/x/${path}`, purpose), path).toBeDefined();
        expect(reservedProblem(`C:\\x\\${path.replaceAll('/', '\\')}`, purpose)).toBeDefined();
      }
    }
  });

  test('report the spelling and the reserved name', () => {
    expect(pathProblem('a/.git/hooks')).toBe('contains .git, which belongs to version control');
    expect(reservedProblem('GIT~1/hooks', 'target')).toBe(
      'is inside GIT~1 (another spelling of .git), which belongs to version control',
    );
  });

  test.each(['.github/workflows/x.yml', 'src/git/x', 'a/b.git', '.gitignore', 'a/.gitkeep'])(
    'accept %s',
    (path) => {
      expect(writeProblem(path, 'deliver')).toBeUndefined();
    },
  );
});

describe('paths in .catalog', () => {
  const OWN = {
    target: [],
    deliver: ['.catalog/context/x/A.md', '.catalog/resources/x', '.catalog/hooks/cline.mjs'],
    settings: ['.catalog/sync.yaml', '.catalog/sync.local.yaml', '.catalog/.gitignore'],
    author: ['.catalog/overlay/x/ARTIFACT.md'],
  };
  const NEVER = [
    '.catalog',
    '.catalog/sync.lock',
    '.catalog/state/journal.json',
    '.catalog/kept/x',
    '.catalog/backup/x',
    '.catalog/approvals.json',
    '.catalog/trust.json',
    '.Catalog/context/x',
    '.catalog./context/x',
    'CATALO~1/context/x',
    '.catalog/context/.catalog/sync.yaml',
    '.catalog/overlay/.catalog/overlay/x',
    '.catalog/context/.CATALOG/x',
  ];
  const PURPOSES = ['target', 'deliver', 'settings', 'author'] as const;

  test.each(PURPOSES)('are limited to the files of the purpose %s', (purpose) => {
    const all = [...Object.values(OWN).flat(), ...NEVER];
    const accepted = all.filter((path) => writeProblem(path, purpose) === undefined);
    expect(accepted).toEqual(OWN[purpose]);
  });

  test('of a plugin may be artifact files but not workspace configuration', () => {
    expect(writeProblem('plugin/.catalog/hooks/x.mjs', 'deliver')).toBeUndefined();
    expect(writeProblem('ops/x/.catalog/sync.yaml', 'deliver')).toBeDefined();
    expect(writeProblem('ops/x/.catalog/overlay/y', 'deliver')).toBeDefined();
    expect(writeProblem('ops/x/.catalog/state/undo/journal.json', 'deliver')).toBeDefined();
  });

  test('are checked outside of the workspace as well', () => {
    expect(reservedProblem('/home/x/.catalog/context', 'target')).toBeDefined();
    expect(reservedProblem('/home/x/.catalog/sync.yaml', 'settings')).toBeUndefined();
    expect(reservedProblem('/home/x/w/.catalog/overlay', 'author')).toBeUndefined();
  });
});
