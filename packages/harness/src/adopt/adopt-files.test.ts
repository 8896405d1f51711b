import { describe, expect, test } from 'vitest';
import { loadAdapter } from '../registry.ts';
import { adoptFiles, type AdoptedThing, type Adoption } from './adopt-files.ts';
import type { FoundFile, OwnedThings } from './candidate.ts';
import type { Preference } from './group-copies.ts';

const NOTHING_OWNED: OwnedThings = { files: new Set(), entries: [] };
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Files in the order they were last changed. */
function found(files: Record<string, string | Uint8Array>): Map<string, FoundFile> {
  return new Map(
    Object.entries(files).map(([path, content], changed_at) => {
      const bytes = typeof content === 'string' ? encoder.encode(content) : content;
      return [path, { path, bytes, executable: path.endsWith('.sh'), changed_at }];
    }),
  );
}

interface Asked {
  owned: OwnedThings;
  preference: Preference;
  domain: string;
}

function adopt(
  files: Record<string, string | Uint8Array>,
  harnesses: string[],
  { owned = NOTHING_OWNED, preference = 'latest', domain = '' }: Partial<Asked> = {},
): Adoption {
  const adapters = harnesses.map((id) => loadAdapter(id));
  return adoptFiles({ files: found(files), owned }, { adapters, preference, domain });
}

function only({ things }: Adoption): AdoptedThing {
  const [thing, ...others] = things;
  if (thing === undefined || others.length > 0) throw new RangeError(`${things.length} things`);
  return thing;
}

function manifests({ packages }: Adoption): Record<string, string> {
  return Object.fromEntries(packages.map(({ id, manifest }) => [id, decoder.decode(manifest)]));
}

const RULE = '---\ndescription: Types.\nglobs: src/**/*.ts\nalwaysApply: false\n---\nBe strict.\n';

describe('what is there', () => {
  test('becomes artifacts of its type, in canonical keys', () => {
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

  test('keeps its folders in the id, and begins with the domain asked for', () => {
    const files = { '.claude/commands/git/commit.md': 'Commit.\n' };
    const thing = only(adopt(files, ['claude-code'], { domain: 'team/web' }));
    expect(thing.id).toBe('team/web/commands/git/commit');
    expect(thing.changes).toContain('its folder git/ is part of its id only');
  });

  test('that several harnesses read in one place is one thing of all of them', () => {
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

  test('as a skill has its own version, and the name of its folder', () => {
    const text = skill('else').replace('---\n\n', 'metadata:\n  version: "2.3.0"\n---\n\n');
    const adoption = adopt({ '.claude/skills/tidy/SKILL.md': text }, ['claude-code']);
    expect(manifests(adoption)).toEqual({
      'skills/tidy': '---\ntype: skill\nversion: "2.3.0"\n---\n',
    });
    expect(decoder.decode(adoption.packages[0]?.skill)).toContain('---\nname: tidy\n');
    expect(only(adoption).changes).toEqual(['its name is tidy, not "else"']);
  });

  test('as counted from zero by Claude Code is counted from one', () => {
    const files = { '.claude/commands/tag.md': 'Tag $0 for \\$5, not $ARGUMENTS[1].\n' };
    const adoption = adopt(files, ['claude-code']);
    expect(manifests(adoption)['commands/tag']).toContain('Tag $1 for $5, not $2.\n');
  });

  test('with a hint that only looks like a list keeps the text', () => {
    const files = { '.claude/commands/a.md': '---\nargument-hint: [tag]\n---\nTag $ARGUMENTS.\n' };
    const manifest = manifests(adopt(files, ['claude-code']))['commands/a'];
    expect(manifest).toContain('argument-hint: "[tag]"\n');
  });
});

test('a key without a value is not written', () => {
  const files = { '.claude/commands/a.md': '---\ndescription: ""\nmodel:\n---\nExplain.\n' };
  expect(manifests(adopt(files, ['claude-code']))['commands/a']).toBe(
    '---\ntype: command\nversion: "1.0.0"\n---\nExplain.\n',
  );
});

test('an import that counts from the file it stands in is told, where its product has imports', () => {
  const files = { 'CLAUDE.md': 'See @docs/style.md.\n' };
  expect(only(adopt(files, ['claude-code'])).changes).toEqual([
    'the import @docs/style.md counts from the folder of CLAUDE.md, and is lost where the rule is written to another',
  ]);
  expect(only(adopt({ 'AGENTS.md': 'See @docs/style.md.\n' }, ['agents-md'])).changes).toEqual([]);
});

function skill(name: string, prose = 'Do it.\n'): string {
  return `---\nname: ${name}\ndescription: Use it when a test needs a skill.\n---\n\n${prose}`;
}

describe('the mode of a rule', () => {
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
  ])('of %s in %s with %j is %s', (harness, path, frontmatter, line) => {
    const adoption = adopt({ [path]: `---\n${frontmatter}\n---\nA.\n` }, [harness]);
    expect(manifests(adoption)['rules/a']).toContain(`${line}\n`);
  });
});

test('tools are called by their canonical names', () => {
  const files = { '.github/agents/a.agent.md': '---\ntools: [execute]\n---\nA.\n' };
  expect(manifests(adopt(files, ['copilot']))['agents/a']).toContain('tools:\n  - Bash\n');
});

describe('copies', () => {
  const equal = skill('review');

  test('that are equal but for the order of keys and line ends are one', () => {
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
  ] as const)('that differ are told, and the %s is taken', (preference, path) => {
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

test('copies of a server name the variables that differ', () => {
  const servers = (env: object): string =>
    JSON.stringify({ mcpServers: { a: { command: 'a', env } } });
  const files = {
    '.mcp.json': servers({ LEVEL: 'low', PLACE: 'here', SAME: 'x' }),
    '.cursor/mcp.json': servers({ LEVEL: 'high', SAME: 'x' }),
  };
  const thing = only(adopt(files, ['claude-code', 'cursor'], { preference: 'first' }));
  expect(thing.copies[1]?.differs).toEqual(['env (LEVEL, PLACE)']);
});

describe('links to files that do not come along', () => {
  test('are text, and the others stay', () => {
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

  test('stay links where the skill brings the file', () => {
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

describe('what is left', () => {
  test.each<[string, Record<string, string | Uint8Array>, string]>([
    ['no text', { '.claude/rules/a.md': new Uint8Array([255, 254, 0]) }, 'it is no text in UTF-8'],
    [
      'a skill whose frontmatter is broken',
      { '.claude/skills/a/SKILL.md': '---\nname: [a\ndescription: b\n---\nA.\n' },
      'A quoted text or a bracket is not closed.',
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
  ])('%s, with the reason', (_, files, reason) => {
    const adoption = adopt(files, ['claude-code']);
    expect(adoption.packages).toEqual([]);
    expect(only(adoption)).toMatchObject({ id: null, outcome: 'left', reason });
  });

  test('what catalog itself delivered: by the lock, by its marks', () => {
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
  ])('what %s keeps in %s and no artifact can be', (harness, path, text, reason) => {
    expect(only(adopt({ [path]: text }, [harness])).reason).toBe(reason);
  });

  test('hooks without a canonical event, and those that are no command', () => {
    const hooks = {
      WorktreeCreate: [{ hooks: [{ type: 'command', command: 'true' }] }],
      Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?' }] }],
    };
    const { things } = adopt({ '.claude/settings.json': JSON.stringify({ hooks }) }, [
      'claude-code',
    ]);
    expect(things.map(({ reason }) => reason)).toEqual([
      'it is of the type prompt; a hook of a catalogue is a command',
      'there is no canonical event for WorktreeCreate',
    ]);
  });

  test('a second thing that would have the same id', () => {
    const files = { '.claude/rules/a b.md': 'One.\n', '.claude/rules/a-b.md': 'Two.\n' };
    const { things } = adopt(files, ['claude-code']);
    expect(things.map(({ reason }) => reason)).toEqual([
      null,
      'something else is called rules/a-b already',
    ]);
  });
});
