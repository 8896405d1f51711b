import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { artifactOf, type PackageTexts } from '@catalog/testkit/authored-package';
import type { Artifact } from '../artifact/types.ts';
import type { LintContext, TypeProvider } from './context.ts';
import { compareDiagnostics, type Diagnostic } from './diagnostic.ts';
import { lintArtifacts } from './lint-artifacts.ts';
import { lintRules } from './rules.ts';

function context(over: Partial<LintContext> = {}): LintContext {
  return { known_ids: new Set(), capabilities: new Map(), ...over };
}

function command(frontmatter = '', body = ''): PackageTexts {
  const description = frontmatter.includes('description:')
    ? ''
    : 'description: Does some good work.\n';
  return {
    'ARTIFACT.md': `---\ntype: command\nversion: 1.0.0\n${description}${frontmatter}---\n${body}`,
  };
}

function lint(files: PackageTexts, over: Partial<LintContext> = {}): Diagnostic[] {
  return lintArtifacts([artifactOf('ops/x', files)], context(over));
}

function codes(found: readonly Diagnostic[]): string[] {
  return found.map(({ code }) => code);
}

describe('lintArtifacts order', () => {
  const ARTIFACTS: Artifact[] = [
    artifactOf('ops/b', command('description: Thin.\n', '[a](gone) [b](gone)\n\n[c](gone)\n')),
    artifactOf('ops/a', command('description: Thin.\nrule_mode: glob\nrule_globs: x\n')),
    artifactOf('ops/a', command('description: Thin.\n'), 'team'),
    artifactOf('Ops/c', command('description: Some other thing.\neffort_hint: low\n', '[a](b)\n')),
    artifactOf('ops/ä', command('lint_suppress: [a, b]\n')),
  ];

  test('is by artifact, then rule, then position', () => {
    const found = lintArtifacts(ARTIFACTS, context());
    expect(
      found.map(({ artifact_id, code, layer, line, column }) => [
        artifact_id,
        code.slice(5),
        layer,
        line,
        column,
      ]),
    ).toEqual([
      ['Ops/c', 'prose_reference', 'base', 7, 1],
      ['ops/a', 'colliding_descriptions', 'base', 4, 1],
      ['ops/a', 'colliding_descriptions', 'team', 4, 1],
      ['ops/a', 'ignored_companion_field', 'base', 6, 1],
      ['ops/a', 'rule_mode_on_non_rule', 'base', 5, 1],
      ['ops/a', 'thin_description', 'base', 4, 1],
      ['ops/a', 'thin_description', 'team', 4, 1],
      ['ops/b', 'colliding_descriptions', 'base', 4, 1],
      ['ops/b', 'prose_reference', 'base', 6, 1],
      ['ops/b', 'prose_reference', 'base', 6, 11],
      ['ops/b', 'prose_reference', 'base', 8, 1],
      ['ops/b', 'thin_description', 'base', 4, 1],
      ['ops/ä', 'unknown_suppression', 'base', 5, 17],
      ['ops/ä', 'unknown_suppression', 'base', 5, 20],
    ]);
  });

  test('does not depend on the order of the artifacts', () => {
    const expected = lintArtifacts(ARTIFACTS, context());
    fc.assert(
      fc.property(fc.shuffledSubarray(ARTIFACTS, { minLength: ARTIFACTS.length }), (artifacts) => {
        const found = lintArtifacts(artifacts, context());
        const withoutOthers = ({ message, ...rest }: Diagnostic): object => ({
          ...rest,
          message: message.replace(/that of .*/, ''),
        });
        expect(found.map(withoutOthers)).toEqual(expected.map(withoutOthers));
      }),
    );
  });

  test('is the same for any order of the findings', () => {
    const found = lintArtifacts(ARTIFACTS, context());
    for (const a of found) {
      for (const b of found) {
        expect(Math.sign(compareDiagnostics(a, b))).toBe(-Math.sign(compareDiagnostics(b, a)) + 0);
        expect(compareDiagnostics(a, b) === 0).toBe(a === b);
      }
    }
  });
});

describe('lint_suppress', () => {
  test('hides a warning whose rule allows suppression', () => {
    expect(codes(lint(command('description: Thin.\n')))).toEqual(['lint.thin_description']);
    expect(lint(command('description: Thin.\nlint_suppress: [lint.thin_description]\n'))).toEqual(
      [],
    );
  });

  test('never hides an error, even of a rule that also warns', () => {
    const suppress = 'lint_suppress: [lint.bundled_resource_size]\n';
    const limits = { file_bytes: 1, package_bytes: 2 };
    expect(lint({ ...command(suppress), a: 'xx' }, { limits })).toEqual([]);
    expect(
      lint({ ...command(suppress), a: 'xx', b: 'x' }, { limits }).map(({ severity }) => severity),
    ).toEqual(['error']);
  });

  test('does not hide rules that cannot be suppressed', () => {
    const found = lint(command('lint_suppress: [lint.hidden_text]\n', 'a\u200Bb\n'));
    expect(codes(found)).toEqual(['lint.hidden_text', 'lint.unknown_suppression']);
  });

  test('accepts codes of a type provider', () => {
    const provider: TypeProvider = {
      validate: () => [{ severity: 'warning', message: 'Spell it right.', code: 'data.spelling' }],
    };
    const type_providers = new Map([['data', provider]]);
    const data = (suppress: string): PackageTexts => ({
      'ARTIFACT.md': `---\ntype: data\nversion: 1.0.0\ndescription: Some rows of data.\n${suppress}---\n`,
    });
    expect(lint(data(''), { type_providers })).toEqual([
      expect.objectContaining({ code: 'data.spelling', severity: 'warning', line: 1 }),
    ]);
    expect(lint(data('lint_suppress: [data.spelling]\n'), { type_providers })).toEqual([]);
  });
});

test('lintArtifacts limits the findings of one rule per artifact', () => {
  const found = lint(command('', '[a](gone)\n'.repeat(12)));
  expect(found.map(({ line }) => line)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  expect(found.map(({ message }) => message.endsWith('More occurrences are not listed.'))).toEqual([
    ...Array<boolean>(9).fill(false),
    true,
  ]);
  expect(lint(command('', '[a](gone)\n'.repeat(10))).at(-1)?.message).not.toContain(
    'More occurrences',
  );
});

describe('lintArtifacts for a broken link', () => {
  const advice = (link: string, files: PackageTexts): string | undefined =>
    lint({ ...command('', `[a](${link})\n`), ...files })[0]?.fix;
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`f${index}`, '']));
  const long = `references/${'guide-'.repeat(14)}`;

  test('suggests a similar path', () => {
    expect(advice('reference/guide.md', { 'references/guide.md': '' })).toBe(
      'Did you mean `references/guide.md`?',
    );
  });

  test.each<[what: string, link: string, files: PackageTexts]>([
    ['nothing is near', 'gone.md', { 'references/guide.md': '' }],
    ['the package is large', 'reference/guide.md', { ...many, 'references/guide.md': '' }],
    ['the path is long', `${long}x`, { [long]: '' }],
  ])('makes no suggestion if %s', (_, link, files) => {
    expect(advice(link, files)).toBe(lintRules['lint.prose_reference'].fix);
  });
});

test.each([
  ['skil', 'lint.misspelled_type', 'Did you mean `skill`?'],
  ['Skill', 'lint.misspelled_type', 'Did you mean `skill`?'],
  ['comandd', 'lint.misspelled_type', 'Did you mean `command`?'],
  ['recipe', 'lint.unknown_type', lintRules['lint.unknown_type'].fix],
  ['tool', 'lint.unknown_type', lintRules['lint.unknown_type'].fix],
])('lintArtifacts reports the type %s', (type, code, fix) => {
  const found = lint({ 'ARTIFACT.md': `---\ntype: ${type}\nversion: 1.0.0\n---\nProse.\n` });
  expect(found).toContainEqual(expect.objectContaining({ code, fix }));
});

describe('lintArtifacts for an unknown key', () => {
  const advice = (files: PackageTexts): string | undefined => lint(files)[0]?.fix;
  const skill = (line: string): PackageTexts => ({
    'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
    'SKILL.md': `---\nname: x\ndescription: Does some good work.\n${line}\n---\n`,
  });

  test('suggests the closest key in both files', () => {
    expect(advice(command('sensitivty: low\n'))).toBe('Did you mean `sensitivity`?');
    expect(advice(skill('licence: MIT'))).toBe('Did you mean `license`?');
  });

  test('advises to keep a key that a product uses, without moving it', () => {
    const { fix } = lintRules['lint.skill_unknown_field'];
    const manual = advice(skill('disable-model-invocation: true'));
    expect(manual).toMatch(/^Keep it: without it, the model can start the skill on its own\./);
    for (const line of ['user-invocable: false', 'argument-hint: "[file]"', 'hooks: {}']) {
      expect(advice(skill(line)), line).toMatch(/^Keep it if you rely on it/);
    }
    expect(fix).toContain('Keep a key that a product uses');
  });

  test('makes no suggestion if the skill already has the correct key', () => {
    const { fix } = lintRules['lint.skill_unknown_field'];
    expect(advice(skill('colour: red'))).toBe(fix);
    expect(advice(skill('Name: x'))).toBe(fix);
  });
});

test('lintArtifacts omits the excerpt of a line with a secret', () => {
  const found = lint({
    'ARTIFACT.md': `---
type: agent
version: 1.0.0
description: Sorts what comes in.
mcpServers: [{name: x, command: y, env: {A_TOKEN: tr0ub4dor}}] # hid\u200Bden
delegates_to: [] # hid\u2060den
---
`,
  });
  expect(found.map(({ code, line, excerpt }) => [code, line, excerpt])).toEqual([
    ['lint.hidden_text', 5, undefined],
    ['lint.hidden_text', 6, 'delegates_to: [] # hid\\u{2060}den'],
    ['lint.secret_literal', 5, undefined],
  ]);
});

test('lintArtifacts accepts equal descriptions of one id in two layers', () => {
  const twice = [artifactOf('ops/x', command()), artifactOf('ops/x', command(), 'team')];
  expect(lintArtifacts(twice, context())).toEqual([]);
  const third = artifactOf('ops/y', command());
  expect(lintArtifacts([...twice, third], context()).map(({ message }) => message)).toEqual([
    'The description is the same as that of ops/y.',
    'The description is the same as that of ops/y.',
    'The description is the same as that of ops/x.',
  ]);
});

const HOSTILE = [
  '[a](',
  '](',
  '[',
  '![',
  '[a](b)',
  '[a](gone)\n',
  '[a](<b',
  '[a]: b\n',
  '[a]:\n',
  '<',
  '<!--',
  '> ',
  '- ',
  '1. ',
  '> - ',
  '- a\n',
  '>\n',
  '***a',
  'a**b',
  '`',
  '` `` ',
  '```\n',
  '\\[',
  '&amp;',
  '\u200B',
  'ب\u200C',
  '\u200F',
  'a\u200F',
  '\uFE0F',
  '<file:',
  '[a](../',
  '  ',
  '\t',
  '(',
  '[a](((',
  '%2e',
  '[a](%2e%2e/',
  '.ghp_',
  '.sk-a',
  'AIza"',
  '\n',
];

test.each(HOSTILE)('lintArtifacts checks 80 KB of %j within the time limit', (piece) => {
  const body = `[a](gone) ${piece.repeat(80_000 / piece.length)}`.slice(0, 79_000);
  const artifact = artifactOf('ops/x', command('', body));
  const before = process.cpuUsage();
  lintArtifacts([artifact], context());
  const { user, system } = process.cpuUsage(before);
  // Ten times the expected time; a quadratic algorithm would take minutes.
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
