import { describe, expect, test } from 'vitest';
import { loadAdapter } from '../registry.ts';
import { adoptFiles, type AdoptedObject, type Adoption } from './adopt-files.ts';
import type { FoundFile, OwnedFiles } from './candidate.ts';
import type { Preference } from './group-copies.ts';

const NOTHING_OWNED: OwnedFiles = { files: new Set(), entries: [] };
const encoder = new TextEncoder();
const decoder = new TextDecoder();

function found(files: Record<string, string | Uint8Array>): Map<string, FoundFile> {
  return new Map(
    Object.entries(files).map(([path, content], changed_at) => {
      const bytes = typeof content === 'string' ? encoder.encode(content) : content;
      return [path, { path, bytes, executable: path.endsWith('.sh'), changed_at }];
    }),
  );
}

interface AdoptInput {
  owned: OwnedFiles;
  preference: Preference;
  domain: string;
}

function adopt(
  files: Record<string, string | Uint8Array>,
  harnesses: string[],
  { owned = NOTHING_OWNED, preference = 'latest', domain = '' }: Partial<AdoptInput> = {},
): Adoption {
  const adapters = harnesses.map((id) => loadAdapter(id));
  return adoptFiles({ files: found(files), owned }, { adapters, preference, domain });
}

function only({ things }: Adoption): AdoptedObject {
  const [thing, ...others] = things;
  if (thing === undefined || others.length > 0) throw new RangeError(`${things.length} things`);
  return thing;
}

function manifests({ packages }: Adoption): Record<string, string> {
  return Object.fromEntries(packages.map(({ id, manifest }) => [id, decoder.decode(manifest)]));
}

const RULE = '---\ndescription: Types.\nglobs: src/**/*.ts\nalwaysApply: false\n---\nBe strict.\n';

describe('adoptFiles', () => {
  test('converts files to artifacts with canonical keys', () => {
    const adoption = adopt(
      {
        '.cursor/rules/types.mdc': RULE,
        '.cursor/commands/explain.md': 'Explain $ARGUMENTS.\n',
        'AGENTS.md': 'Use npm.\n',
      },
      ['cursor'],
    );
    expect(manifests(adoption)).toEqual({
      'commands/explain': '---\ntype: command\nversion: "1.0.0"\n---\nExplain $ARGUMENTS.\n',
      'rules/agents-md': '---\ntype: rule\nversion: "1.0.0"\nrule_mode: always\n---\nUse npm.\n',
      'rules/types':
        '---\ntype: rule\nversion: "1.0.0"\ndescription: Types.\nrule_mode: glob\nrule_globs: src/**/*.ts\n---\nBe strict.\n',
    });
    expect(adoption.things.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'command explain',
      'rule agents-md',
      'rule types',
    ]);
  });

  test('keeps directories in the id after the requested domain', () => {
    const files = { '.claude/commands/git/commit.md': 'Commit.\n' };
    const thing = only(adopt(files, ['claude-code'], { domain: 'team/web' }));
    expect(thing.id).toBe('team/web/commands/git/commit');
    expect(thing.changes).toContain('its folder git/ is part of its id only');
  });

  test('returns one artifact for a file that several harnesses read', () => {
    const files = { '.agents/skills/tidy/SKILL.md': skill('tidy') };
    const thing = only(adopt(files, ['cursor', 'codex']));
    expect(thing.copies).toEqual([
      {
        path: '.agents/skills/tidy/SKILL.md',
        entry: null,
        harnesses: ['cursor', 'codex'],
        differs: [],
      },
    ]);
  });

  test('keeps the version of a skill and uses its directory name', () => {
    const text = skill('else').replace('---\n\n', 'metadata:\n  version: "2.3.0"\n---\n\n');
    const adoption = adopt({ '.claude/skills/tidy/SKILL.md': text }, ['claude-code']);
    expect(manifests(adoption)).toEqual({
      'skills/tidy': '---\ntype: skill\nversion: "2.3.0"\n---\n',
    });
    expect(decoder.decode(adoption.packages[0]?.skill)).toContain('---\nname: tidy\n');
    expect(only(adoption).changes).toEqual(['its name is tidy, not "else"']);
  });

  test('converts arguments of Claude Code to count from one', () => {
    const files = { '.claude/commands/tag.md': 'Tag $0 for \\$5, not $ARGUMENTS[1].\n' };
    const adoption = adopt(files, ['claude-code']);
    expect(manifests(adoption)['commands/tag']).toContain('Tag $1 for $5, not $2.\n');
  });

  test('keeps an argument hint that looks like a list as a string', () => {
    const files = { '.claude/commands/a.md': '---\nargument-hint: [tag]\n---\nTag $ARGUMENTS.\n' };
    const manifest = manifests(adopt(files, ['claude-code']))['commands/a'];
    expect(manifest).toContain('argument-hint: "[tag]"\n');
  });
});

test('adopt omits keys without a value', () => {
  const files = { '.claude/commands/a.md': '---\ndescription: ""\nmodel:\n---\nExplain.\n' };
  expect(manifests(adopt(files, ['claude-code']))['commands/a']).toBe(
    '---\ntype: command\nversion: "1.0.0"\n---\nExplain.\n',
  );
});

test('resolves imports against the workspace root for products that support imports', () => {
  const files = {
    'CLAUDE.md': 'See @docs/style.md.\n',
    '.claude/rules/a.md': 'See @../../docs/a.md.\n',
  };
  const adoption = adopt(files, ['claude-code']);
  expect(manifests(adoption)['rules/claude-md']).toContain('See @./docs/style.md.\n');
  expect(manifests(adoption)['rules/a']).toContain('See @./docs/a.md.\n');
  expect(adoption.things.map(({ changes }) => changes)).toEqual([
    ['its imports (@path) count from the workspace root'],
    [
      'its imports (@path) count from the workspace root',
      'a sync for claude-code changes the body',
    ],
  ]);
  expect(only(adopt({ 'AGENTS.md': 'See @docs/style.md.\n' }, ['agents-md'])).changes).toEqual([]);
});

function skill(name: string, prose = 'Do it.\n'): string {
  return `---\nname: ${name}\ndescription: Use it when a test needs a skill.\n---\n\n${prose}`;
}

describe('rule mode of an adopted rule', () => {
  test.each<[string, string, string, string]>([
    ['claude-code', '.claude/rules/a.md', 'paths: ["a/**", "b/**"]', 'rule_globs: "a/**,b/**"'],
    ['claude-code', '.claude/rules/a.md', 'x: 1', 'rule_mode: always'],
    ['cursor', '.cursor/rules/a.mdc', 'alwaysApply: true\nglobs: a/**', 'rule_mode: always'],
    ['cursor', '.cursor/rules/a.mdc', 'description: When it fits.', 'rule_mode: auto'],
    ['cursor', '.cursor/rules/a.mdc', 'alwaysApply: false', 'rule_mode: explicit'],
    ['copilot', '.github/instructions/a.instructions.md', "applyTo: '**'", 'rule_mode: always'],
    ['copilot', '.github/instructions/a.instructions.md', 'applyTo: a/**', 'rule_mode: glob'],
    ['kiro', '.kiro/steering/a.md', 'inclusion: manual', 'rule_mode: explicit'],
    [
      'kiro',
      '.kiro/steering/a.md',
      'inclusion: fileMatch\nfileMatchPattern: a/**',
      'rule_mode: glob',
    ],
    ['antigravity', '.agents/rules/a.md', 'trigger: manual', 'rule_mode: explicit'],
    ['devin', '.devin/rules/a.md', 'trigger: glob\nglobs: [a/**, b/**]', 'rule_globs: "a/**,b/**"'],
    ['devin', '.devin/rules/a.md', 'trigger: glob\nglobs: a/**', 'rule_mode: glob'],
    ['devin', '.devin/rules/a.md', 'trigger: model_decision\ndescription: A.', 'rule_mode: auto'],
    ['continue', '.continue/rules/a.md', 'name: A', 'rule_mode: always'],
    ['continue', '.continue/rules/a.md', 'globs: [a/**, b/**]', 'rule_globs: "a/**,b/**"'],
    ['continue', '.continue/rules/a.md', 'alwaysApply: true\nglobs: a/**', 'rule_mode: always'],
    ['continue', '.continue/rules/a.md', 'alwaysApply: false\ndescription: A.', 'rule_mode: auto'],
    ['continue', '.continue/rules/a.md', 'invokable: true\nglobs: a/**', 'rule_mode: explicit'],
  ])('for %s in %s with %j is %s', (harness, path, frontmatter, line) => {
    const adoption = adopt({ [path]: `---\n${frontmatter}\n---\nA.\n` }, [harness]);
    expect(manifests(adoption)['rules/a']).toContain(`${line}\n`);
  });
});

test('adopts a hook from a file that contains only events', () => {
  const group = { matcher: '^exec$', hooks: [{ type: 'command', command: 'check', timeout: 9 }] };
  const file = JSON.stringify({ PreToolUse: [group] });
  const read = Object.values(manifests(adopt({ '.devin/hooks.v1.json': file }, ['devin'])));
  expect(read).toEqual([expect.stringContaining('hook_event: pre_shell_execution\n')]);
});

test('adopts an agent, a command and the guidelines of Junie', () => {
  const files = {
    '.junie/agents/a.md': '---\nname: a\ndescription: A.\nreasoningLevel: high\n---\nA.\n',
    '.junie/commands/c.md': '---\ndescription: C.\n---\nShip $arguments.\n',
    '.junie/guidelines.md': 'Be brief.\n',
  };
  const read = manifests(adopt(files, ['junie']));
  expect(read['agents/a']).toContain('effort_hint: high\n');
  expect(read['agents/a']).not.toContain('reasoningLevel');
  expect(read['commands/c']).toContain('Ship $ARGUMENTS.\n');
  expect(read['rules/guidelines-md']).toContain('Be brief.\n');
});

test('adopts a Copilot prompt file as a command and its skill as a skill', () => {
  const adoption = adopt(
    {
      '.github/prompts/ship.prompt.md':
        '---\ndescription: Ship it.\nagent: agent\n---\nShip ${input:arguments}.\n',
      '.github/skills/count/SKILL.md': '---\nname: count\ndescription: Count.\n---\nCount.\n',
    },
    ['copilot'],
  );
  expect(adoption.things.map(({ type, id }) => [type, id])).toEqual([
    ['skill', 'skills/count'],
    ['command', 'commands/ship'],
  ]);
  expect(manifests(adoption)['commands/ship']).toContain('\nShip $ARGUMENTS.\n');
});

test('adopt converts tools to their canonical names', () => {
  const files = { '.github/agents/a.agent.md': '---\ntools: [execute]\n---\nA.\n' };
  expect(manifests(adopt(files, ['copilot']))['agents/a']).toContain('tools:\n  - Bash\n');
});

describe('adoptFiles with copies', () => {
  const equal = skill('review');

  test('merges copies that differ only in key order and line endings', () => {
    const thing = only(
      adopt(
        {
          '.claude/agents/a.md':
            '---\nname: a\ndescription: Does a thing.\ntools: Read, Grep\n---\nA.\n',
          '.cursor/agents/a.md':
            '---\ntools:\n  - Read\n  - Grep\ndescription: Does a thing.\nname: a\n---\nA.  \r\n',
        },
        ['claude-code', 'cursor'],
      ),
    );
    expect(thing.copies.map(({ differs }) => differs)).toEqual([[], []]);
  });

  test.each([
    ['latest', '.cursor/skills/review/SKILL.md'],
    ['first', '.claude/skills/review/SKILL.md'],
  ] as const)('reports copies that differ and uses the %s', (preference, path) => {
    const files = {
      '.claude/skills/review/SKILL.md': equal,
      '.claude/skills/review/run.sh': 'true\n',
      '.cursor/skills/review/SKILL.md': skill('review', 'Do it now.\n'),
    };
    const thing = only(adopt(files, ['claude-code', 'cursor'], { preference }));
    expect(thing.copies[0]?.path).toBe(path);
    expect(thing.copies[1]?.differs).toEqual(['SKILL.md', 'run.sh']);
  });
});

function filesOf({ packages }: Adoption): Record<string, string> {
  const [made] = packages;
  const { resources = [], kept = [] } = made ?? {};
  const files = [...resources, ...kept].map(({ path, bytes, executable }) => [
    path,
    (executable ? '(x) ' : '') + decoder.decode(bytes),
  ]);
  return Object.fromEntries(files);
}

describe('adoptFiles with different files in copies', () => {
  const [first, second] = ['.claude/skills/review/', '.cursor/skills/review/'];
  const same = { [`${first}SKILL.md`]: skill('review'), [`${second}SKILL.md`]: skill('review') };

  function adoptCopies(files: Record<string, string | Uint8Array>): Adoption {
    return adopt({ ...same, ...files }, ['claude-code', 'cursor'], { preference: 'first' });
  }

  test('merges files that only one copy has and keeps links to them', () => {
    const linking = skill('review', 'Read [the rest](more/rest.md).\n');
    const adoption = adoptCopies({
      [`${first}SKILL.md`]: linking,
      [`${first}own.md`]: 'Own.\n',
      [`${second}SKILL.md`]: linking,
      [`${second}more/rest.md`]: 'Rest.\n',
      [`${second}empty`]: '',
    });
    expect(filesOf(adoption)).toEqual({ 'own.md': 'Own.\n', 'more/rest.md': 'Rest.\n', empty: '' });
    expect(decoder.decode(adoption.packages[0]?.skill)).toBe(linking);
    expect(only(adoption)).toMatchObject({
      chosen_by: 'first_harness',
      merged: [
        { path: 'more/rest.md', source: `${second}more/rest.md` },
        { path: 'empty', source: `${second}empty` },
      ],
      kept: [],
    });
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    [
      'another content',
      { [`${first}a/run.py`]: 'one', [`${second}a/run.py`]: 'two' },
      { 'a/run.py': 'one', '.originals/a/run.from-cursor.py': 'two' },
    ],
    [
      'other line ends',
      { [`${first}a.md`]: 'a\n', [`${second}a.md`]: 'a\r\n' },
      { 'a.md': 'a\n', '.originals/a.from-cursor.md': 'a\r\n' },
    ],
    [
      'no content',
      { [`${first}Makefile`]: 'all:\n', [`${second}Makefile`]: '' },
      { Makefile: 'all:\n', '.originals/Makefile.from-cursor': '' },
    ],
    [
      'another case',
      { [`${first}Notes.md`]: 'one', [`${second}notes.md`]: 'two' },
      { 'Notes.md': 'one', '.originals/notes.from-cursor.md': 'two' },
    ],
    [
      'another case of a folder',
      { [`${first}Docs/a.md`]: 'one', [`${second}docs/b.md`]: 'two' },
      { 'Docs/a.md': 'one', '.originals/docs/b.from-cursor.md': 'two' },
    ],
    [
      'another case in the copy that is used',
      { [`${first}.env`]: 'one', [`${first}.ENV`]: 'two' },
      { '.env': 'one', '.originals/.ENV.from-claude': 'two' },
    ],
    [
      'a folder in the place of a file',
      { [`${first}docs`]: 'one', [`${second}docs/a.md`]: 'two' },
      { docs: 'one', '.originals/docs/a.from-cursor.md': 'two' },
    ],
    [
      'a file in the place of a folder',
      { [`${first}docs/a.md`]: 'one', [`${second}docs`]: 'two' },
      { 'docs/a.md': 'one', '.originals/docs.from-cursor': 'two' },
    ],
    [
      'the name of the manifest',
      { [`${first}artifact.md`]: 'one', [`${second}sub/ARTIFACT.md`]: 'two' },
      {
        '.originals/artifact.from-claude.md': 'one',
        '.originals/sub/ARTIFACT.from-cursor.md': 'two',
      },
    ],
    [
      'a name that another kept file has',
      {
        [`${first}a`]: 'one',
        [`${first}a.from-cursor/b`]: 'one',
        [`${second}a`]: 'two',
        [`${second}a.from-cursor/b`]: 'three',
      },
      {
        a: 'one',
        'a.from-cursor/b': 'one',
        '.originals/a.from-cursor': 'two',
        '.originals/2/a.from-cursor/b.from-cursor': 'three',
      },
    ],
  ])('preserves files in .originals if they have %s', (_, files, expected) => {
    const adoption = adoptCopies(files);
    expect(filesOf(adoption)).toEqual(expected);
    const kept = Object.keys(expected).filter((path) => path.startsWith('.originals/'));
    expect(only(adoption).kept.map(({ path }) => path)).toEqual(
      kept.map((path) => `skills/review/${path}`),
    );
  });

  test('preserves identical files of several copies once, with every source', () => {
    const files = {
      ...same,
      '.codex/skills/review/SKILL.md': skill('review', 'Other.\n'),
      [`${second}SKILL.md`]: skill('review', 'Other.\n'),
    };
    const harnesses = ['claude-code', 'cursor', 'codex'];
    const thing = only(adopt(files, harnesses, { preference: 'first' }));
    expect(thing.kept).toEqual([
      {
        path: 'skills/review/.originals/SKILL.from-cursor.md',
        sources: [`${second}SKILL.md`, '.codex/skills/review/SKILL.md'],
      },
    ]);
  });

  test('preserves files if their name or a link changes', () => {
    const text = skill('else', '[Gone](gone.md)\n');
    const adoption = adopt({ '.claude/skills/review/SKILL.md': text }, ['claude-code']);
    expect(filesOf(adoption)).toEqual({ '.originals/SKILL.from-claude.md': text });
  });

  test('marks a file as executable if one of its copies is', () => {
    const run = encoder.encode('true\n');
    const file = { bytes: run, changed_at: 0 };
    const files = found(same);
    files.set(`${first}run`, { ...file, path: `${first}run`, executable: false });
    files.set(`${second}run`, { ...file, path: `${second}run`, executable: true });
    const adapters = [loadAdapter('claude-code'), loadAdapter('cursor')];
    const options = { adapters, preference: 'first', domain: '' } as const;
    const adoption = adoptFiles({ files, owned: NOTHING_OWNED }, options);
    expect(filesOf(adoption)).toEqual({ run: '(x) true\n' });
    expect(only(adoption).changes).toEqual([`run is executable, as ${second}run is`]);
  });

  test('omits and reports files in hidden directories, including those of unused copies', () => {
    const { changes } = only(adoptCopies({ [`${second}.cache/a`]: 'a' }));
    expect(changes).toEqual([`${second}.cache/a is left out`]);
  });

  test('rejects a skill if one of its files contains a secret', () => {
    const token = `ghp_${'a1'.repeat(18)}\n`;
    const adoption = adoptCopies({ [`${first}a.txt`]: 'a\n', [`${second}a.txt`]: token });
    expect(adoption.packages).toEqual([]);
    expect(only(adoption).reason).toBe(
      `${second}a.txt holds what looks like a secret; take it out, then adopt again`,
    );
  });

  test('rejects a skill if a file name is too long for a suffix', () => {
    const name = 'a'.repeat(250);
    const adoption = adoptCopies({ [first + name]: 'one', [second + name]: 'two' });
    expect(adoption.packages).toEqual([]);
    expect(only(adoption).reason).toContain('contains a name longer than 255 bytes');
  });

  test('reports a skill directory without SKILL.md', () => {
    const { things } = adopt({ '.cursor/skills/half/notes.md': 'Notes.\n' }, ['cursor']);
    expect(things).toMatchObject([
      { type: 'skill', name: 'half', id: null, reason: 'it has no SKILL.md' },
    ]);
  });

  test('selects a copy by the order of the harnesses if modification times are equal', () => {
    const files = found({
      ...same,
      [`${second}SKILL.md`]: skill('review', 'Other.\n'),
    });
    for (const file of files.values()) file.changed_at = 1;
    const adapters = [loadAdapter('claude-code'), loadAdapter('cursor')];
    const options = { adapters, preference: 'latest', domain: '' } as const;
    const thing = only(adoptFiles({ files, owned: NOTHING_OWNED }, options));
    expect(thing.copies[0]?.path).toBe(`${first}SKILL.md`);
    expect(thing.chosen_by).toBe('first_harness');
  });
});

describe('adoptFiles with copies of single files', () => {
  const agent = (body: string): string => `---\nname: a\ndescription: Does a thing.\n---\n${body}`;

  test('preserves all copies, including the one that is used', () => {
    const files = {
      '.claude/agents/a.md': agent('One.\n'),
      '.cursor/agents/a.md': agent('Two.\n'),
    };
    const adoption = adopt(files, ['claude-code', 'cursor']);
    expect(manifests(adoption)['agents/a']).toContain('---\nTwo.\n');
    expect(filesOf(adoption)).toEqual({
      '.originals/a.from-cursor.md': agent('Two.\n'),
      '.originals/a.from-claude.md': agent('One.\n'),
    });
    expect(only(adoption).chosen_by).toBe('newest');
  });

  test('preserves nothing if the manifest contains all of the file', () => {
    expect(filesOf(adopt({ 'AGENTS.md': 'Use npm.\n' }, ['agents-md']))).toEqual({});
  });

  test('preserves copies with a secret in a server in canonical form only', () => {
    const servers = (password: string): string =>
      `mcpServers:\n  - db:\n      command: db\n      env:\n        PASSWORD: ${password}\n`;
    const withServer = (body: string, password: string): string =>
      agent(body).replace('---\nname', `---\n${servers(password)}name`);
    const files = {
      '.claude/agents/a.md': withServer('One.\n', 'hunter2'),
      '.cursor/agents/a.md': agent('Two.\n'),
    };
    const adoption = adopt(files, ['cursor', 'claude-code'], { preference: 'first' });
    const kept = filesOf(adoption)['.originals/ARTIFACT.from-claude.md'];
    expect(kept).toContain('${secret:PASSWORD}');
    expect(kept).toContain('One.\n');
    expect(JSON.stringify(filesOf(adoption))).not.toContain('hunter2');
    const alone = adopt({ '.claude/agents/a.md': files['.claude/agents/a.md'] }, ['claude-code']);
    expect(filesOf(alone)).toEqual({});
    expect(only(alone).changes).toContain(
      '.claude/agents/a.md itself is not kept: it holds what looks like a secret',
    );
  });
});

describe('adoptFiles with copies of entries in shared files', () => {
  test('preserves different servers as manifests with references instead of secrets', () => {
    const server = (args: string[]): string =>
      JSON.stringify({ mcpServers: { a: { command: 'a', args, env: { TOKEN: 'hunter2' } } } });
    const files = { '.mcp.json': server(['one,two']), '.cursor/mcp.json': server(['one', 'two']) };
    const adoption = adopt(files, ['claude-code', 'cursor'], { preference: 'first' });
    expect(filesOf(adoption)).toEqual({
      '.originals/ARTIFACT.from-cursor.md':
        '---\ntype: mcp-server\nversion: "1.0.0"\ncommand: a\nargs:\n  - one\n  - two\nenv:\n  TOKEN: "${secret:TOKEN}"\n---\n',
    });
  });

  test('preserves different hooks with their scripts and bundles nothing of them', () => {
    const hooks = (event: string, command: string): object => ({ [event]: [{ command }] });
    const files = {
      '.claude/settings.json': JSON.stringify({ hooks: hooks('Stop', 'sh one/check.sh') }),
      '.cursor/hooks.json': JSON.stringify({ version: 1, hooks: hooks('stop', 'sh two/check.sh') }),
      'one/check.sh': 'one\n',
      'two/check.sh': 'two\n',
    };
    const adoption = adopt(files, ['claude-code', 'cursor'], { preference: 'first' });
    const { 'run-native.mjs': _script, ...own } = filesOf(adoption);
    expect(own).toEqual({
      'scripts/check.sh': '(x) one\n',
      '.originals/scripts/check.from-cursor.sh': '(x) two\n',
    });
  });
});

test('reports the environment variables that differ between copies of a server', () => {
  const servers = (env: object): string =>
    JSON.stringify({ mcpServers: { a: { command: 'a', env } } });
  const files = {
    '.mcp.json': servers({ LEVEL: 'low', PLACE: 'here', SAME: 'x' }),
    '.cursor/mcp.json': servers({ LEVEL: 'high', SAME: 'x' }),
  };
  const thing = only(adopt(files, ['claude-code', 'cursor'], { preference: 'first' }));
  expect(thing.copies[1]?.differs).toEqual(['env (LEVEL, PLACE)']);
});

describe('adoptFiles with links to files outside the artifact', () => {
  test('replaces links to files that are not adopted with text', () => {
    const files = {
      'AGENTS.md':
        'See [the docs](docs/a.md "x"), [`b.md`](b.md), ![](<../c d.png>), [web](https://x.y) and `[no](no.md)`.\n',
    };
    const adoption = adopt(files, ['agents-md']);
    expect(manifests(adoption)['rules/agents-md']).toContain(
      'See the docs (`docs/a.md`), `b.md`, `../c d.png`, [web](https://x.y) and `[no](no.md)`.\n',
    );
    expect(only(adoption).changes).toContain(
      'the link to docs/a.md is text: that file does not come along',
    );
  });

  test('keeps links to files of the skill', () => {
    const files = {
      '.claude/skills/a/SKILL.md': skill(
        'a',
        '[one](references/one.md), [all](references), [two](two.md)\n',
      ),
      '.claude/skills/a/references/one.md': 'One.\n',
    };
    const { packages } = adopt(files, ['claude-code']);
    expect(decoder.decode(packages[0]?.skill)).toBe(
      skill('a', '[one](references/one.md), [all](references), two (`two.md`)\n'),
    );
  });
});

describe('adoptFiles with unsupported content', () => {
  test.each<[string, Record<string, string | Uint8Array>, string]>([
    ['no text', { '.claude/rules/a.md': new Uint8Array([255, 254, 0]) }, 'it is not UTF-8 text'],
    [
      'a skill whose frontmatter is broken',
      { '.claude/skills/a/SKILL.md': '---\nname: [a\ndescription: b\n---\nA.\n' },
      'A quoted string or a bracket is not closed.',
    ],
    [
      'a text with a secret in it',
      { '.claude/rules/a.md': `Use ghp_${'a1'.repeat(18)}.\n` },
      'its text holds what looks like a secret; take it out, then adopt again',
    ],
    [
      'settings that cannot be read',
      { '.mcp.json': '{' },
      'it cannot be read: .mcp.json:1:2 is not valid JSON: a name in quotes or a closing brace is missing here.',
    ],
  ])('adopts nothing and reports the reason: %s', (_, files, reason) => {
    const adoption = adopt(files, ['claude-code']);
    expect(adoption.packages).toEqual([]);
    expect(only(adoption)).toMatchObject({ id: null, outcome: 'left', reason });
  });

  test('skips files and entries that catalog installed, by lock or by mark', () => {
    const files = {
      '.claude/rules/ours.md': 'Ours.\n',
      '.mcp.json': JSON.stringify({
        mcpServers: { ours: { command: 'a' }, mine: { command: 'b' } },
        'x-catalog': { 'ops/ours': ['mcpServers', 'ours'] },
      }),
      '.claude/settings.json': JSON.stringify({
        hooks: {
          Stop: [
            { hooks: [{ type: 'command', command: 'a' }], 'x-catalog-id': 'ops/stop' },
            { hooks: [{ type: 'command', command: 'mine' }] },
          ],
        },
      }),
      'CLAUDE.md': '<!-- catalog:begin:a/b -->\nOurs.\n<!-- catalog:end:a/b -->\nMine.\n',
    };
    const owned = { files: new Set(['.claude/rules/ours.md']), entries: [] };
    const { things, packages } = adopt(files, ['claude-code'], { owned });
    const left = things.filter(({ outcome }) => outcome === 'left');
    expect(left.map(({ type, name, reason }) => `${type} ${name}: ${reason}`)).toEqual([
      'rule ours: it came from the registry',
      'hook of the registry: it came from the registry',
      'mcp-server ours: it came from the registry',
    ]);
    expect(packages.map(({ id }) => id).toSorted()).toEqual([
      'hooks/stop-mine',
      'mcp-servers/mine',
      'rules/claude-md',
    ]);
    expect(decoder.decode(packages.find(({ id }) => id === 'rules/claude-md')?.manifest)).toMatch(
      /---\n\nMine\.\n$/,
    );
  });

  test.each<[string, string, string, string]>([
    [
      'opencode',
      '.opencode/agents/a.md',
      '---\nmode: primary\n---\nA.\n',
      'it is an agent a person works with; only those another calls are artifacts',
    ],
    [
      'gemini-cli',
      '.gemini/agents/a.md',
      '---\nkind: remote\n---\n',
      'it runs elsewhere; there is no artifact for that',
    ],
    ['gemini-cli', '.gemini/commands/a.toml', 'description = "A"\n', 'it has no prompt'],
    ['codex', '.codex/agents/a.toml', 'name = "a"\n', 'it has no developer_instructions'],
  ])('reports why a file of %s at %s is not adopted', (harness, path, text, reason) => {
    expect(only(adopt({ [path]: text }, [harness])).reason).toBe(reason);
  });

  test('skips hooks without a canonical event or a command', () => {
    const hooks = {
      WorktreeCreate: [{ hooks: [{ type: 'command', command: 'true' }] }],
      Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?' }] }],
    };
    const { things } = adopt({ '.claude/settings.json': JSON.stringify({ hooks }) }, [
      'claude-code',
    ]);
    expect(things.map(({ reason }) => reason)).toEqual([
      'it is of the type prompt; hooks in a catalog are commands',
      'hook artifacts have no event for WorktreeCreate',
    ]);
  });

  test('skips a second artifact with the same id', () => {
    const files = { '.claude/rules/a b.md': 'One.\n', '.claude/rules/a-b.md': 'Two.\n' };
    const { things } = adopt(files, ['claude-code']);
    expect(things.map(({ reason }) => reason)).toEqual([
      null,
      'something else is called rules/a-b already',
    ]);
  });
});
