import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authoredPackage, type PackageTexts } from '@catalog/testkit/authored-package';
import { readArtifact } from '../artifact/read-artifact.ts';
import type { Diagnostic } from './diagnostic.ts';
import { fixArtifact } from './fix.ts';
import { lintArtifacts } from './lint-artifacts.ts';
import { lintRules } from './rules.ts';

function fix(files: PackageTexts): { files: PackageTexts; fixed: string[] } {
  const reading = readArtifact(authoredPackage('ops/check', files));
  if (reading.kind === 'refused') return { files, fixed: [] };
  const repaired = fixArtifact(reading.artifact);
  const texts = repaired.map(({ file, text }) => [file.replace('ops/check/', ''), text]);
  const fixed = repaired.flatMap(({ fixed }) => fixed.map(({ code }) => code));
  return { files: { ...files, ...Object.fromEntries(texts) }, fixed };
}

function findings(files: PackageTexts): Diagnostic[] {
  const reading = readArtifact(authoredPackage('ops/check', files));
  if (reading.kind === 'refused') return reading.problems;
  const context = { known_ids: new Set<string>(), capabilities: new Map() };
  return [...reading.diagnostics, ...lintArtifacts([reading.artifact], context)];
}

function countOf(code: string, found: readonly Diagnostic[]): number {
  return found.filter((finding) => finding.code === code).length;
}

interface Repair {
  what: string;
  code: string;
  before: PackageTexts;
  after: PackageTexts;
}

const SKILL = '---\nname: check\ndescription: Verify a release.\nlicense: MIT\n---\nRun it.\n';

const REPAIRS: Repair[] = [
  {
    what: 'a rule mode in capitals, with its comment',
    code: 'lint.unknown_rule_mode',
    before: {
      'ARTIFACT.md': '---\ntype: rule\nrule_mode:  "ALWAYS"  # yes\nversion: 1.0.0\n---\nx',
    },
    after: { 'ARTIFACT.md': '---\ntype: rule\nrule_mode:  always  # yes\nversion: 1.0.0\n---\nx' },
  },
  {
    what: 'a hook event in the words of a product, between carriage returns',
    code: 'lint.unknown_hook_event',
    before: {
      'ARTIFACT.md':
        '---\r\ntype: hook\r\nhook_event: PreToolUse\r\nversion: 1.0.0\r\nhook_action: x\r\n---\r\n',
    },
    after: {
      'ARTIFACT.md':
        '---\r\ntype: hook\r\nhook_event: pre_tool_use\r\nversion: 1.0.0\r\nhook_action: x\r\n---\r\n',
    },
  },
  {
    what: 'a hook event with hyphens, after a byte order mark',
    code: 'lint.unknown_hook_event',
    before: {
      'ARTIFACT.md':
        "\uFEFF---\ntype: hook\n'hook_event': 'session-end'\nversion: 1.0.0\nhook_action: x\n---\n",
    },
    after: {
      'ARTIFACT.md':
        "\uFEFF---\ntype: hook\n'hook_event': session_end\nversion: 1.0.0\nhook_action: x\n---\n",
    },
  },
  {
    what: 'a sensitivity in capitals',
    code: 'lint.invalid_field',
    before: { 'ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\nsensitivity: High\n---\n' },
    after: { 'ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\nsensitivity: high\n---\n' },
  },
  {
    what: 'a sandbox profile with underscores',
    code: 'lint.invalid_field',
    before: {
      'ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\nsandbox_profile: read_only_fs\n---\n',
    },
    after: {
      'ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\nsandbox_profile: read-only-fs\n---\n',
    },
  },
  {
    what: 'tags with commas',
    code: 'lint.invalid_field',
    before: {
      'ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\ntags: deploy, re lease,true, 1.0,\n---\n',
    },
    after: {
      'ARTIFACT.md':
        '---\ntype: context\nversion: 1.0.0\ntags: [deploy, "re lease", "true", "1.0"]\n---\n',
    },
  },
  {
    what: 'a single target harness',
    code: 'lint.invalid_field',
    before: {
      'ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\ntarget_harnesses: harness-a\n---\n',
    },
    after: {
      'ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\ntarget_harnesses: [harness-a]\n---\n',
    },
  },
  {
    what: 'globs nobody reads, over several lines',
    code: 'lint.ignored_companion_field',
    before: {
      'ARTIFACT.md':
        '---\ntype: rule\nrule_globs: >-\n  a,\n\n  # no comment\n  b\n\n# about the version\nversion: 1.0.0\n---\n',
    },
    after: { 'ARTIFACT.md': '---\ntype: rule\n\n# about the version\nversion: 1.0.0\n---\n' },
  },
  {
    what: 'a fallback of a rule that every harness loads',
    code: 'lint.ignored_companion_field',
    before: { 'ARTIFACT.md': '---\ntype: rule\nrule_fallback: skill\nversion: 1.0.0\n---\n' },
    after: { 'ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\n---\n' },
  },
  {
    what: 'the rule mode of a command, at the end',
    code: 'lint.rule_mode_on_non_rule',
    before: {
      'ARTIFACT.md': '---\ntype: command\nversion: 1.0.0\nrule_mode: glob\n# the end\n---\n',
    },
    after: { 'ARTIFACT.md': '---\ntype: command\nversion: 1.0.0\n# the end\n---\n' },
  },
  {
    what: 'a description in both files',
    code: 'lint.skill_artifact_field',
    before: {
      'ARTIFACT.md':
        '---\ntype: skill\ndescription: |-\n  Verify a release.\nversion: 1.0.0\n---\n',
      'SKILL.md': SKILL,
    },
    after: { 'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n', 'SKILL.md': SKILL },
  },
  {
    what: 'a field of the catalog in both files',
    code: 'lint.skill_catalog_only_field',
    before: {
      'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\ntags: [a, b]\n---\n',
      'SKILL.md': '---\nname: check\ntags:\n- a\n- b\ndescription: Verify a release.\n---\n',
    },
    after: {
      'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\ntags: [a, b]\n---\n',
      'SKILL.md': '---\nname: check\ndescription: Verify a release.\n---\n',
    },
  },
  {
    what: 'a name that is not the folder',
    code: 'lint.skill_md_compliance',
    before: { 'SKILL.md': '---\ndescription: Verify a release.\nname: checks\n---\n' },
    after: { 'SKILL.md': '---\ndescription: Verify a release.\nname: check\n---\n' },
  },
  {
    what: 'no name',
    code: 'lint.skill_md_compliance',
    before: { 'SKILL.md': '---\r\ndescription: Verify a release.\r\n---\r\n' },
    after: { 'SKILL.md': '---\r\nname: check\r\ndescription: Verify a release.\r\n---\r\n' },
  },
  {
    what: 'no name, between line feeds',
    code: 'lint.skill_md_compliance',
    before: { 'SKILL.md': '---\ndescription: Verify a release.\n---\n' },
    after: { 'SKILL.md': '---\nname: check\ndescription: Verify a release.\n---\n' },
  },
  {
    what: 'an empty name',
    code: 'lint.skill_md_compliance',
    before: { 'SKILL.md': '---\nname: # the name\ndescription: Verify a release.\n---\n' },
    after: { 'SKILL.md': '---\nname: check # the name\ndescription: Verify a release.\n---\n' },
  },
  {
    what: 'the body in both files',
    code: 'lint.skill_artifact_body',
    before: {
      'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n\nRun it.\n',
      'SKILL.md': SKILL,
    },
    after: { 'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n', 'SKILL.md': SKILL },
  },
];

test('REPAIRS covers exactly the rules that the rule table marks as fixable', () => {
  const fixable = Object.entries(lintRules).flatMap(([code, rule]) => (rule.fixable ? [code] : []));
  expect(new Set(REPAIRS.map(({ code }) => code))).toEqual(new Set(fixable));
});

describe('fixArtifact repairs', () => {
  test.each(REPAIRS)('fixes $what', ({ code, before, after }) => {
    expect(countOf(code, findings(before))).toBe(1);
    expect(fix(before)).toEqual({ files: after, fixed: [code] });
    expect(countOf(code, findings(after))).toBe(0);
    expect(fix(after)).toEqual({ files: after, fixed: [] });
  });

  test('fixes findings that only an earlier repair reveals', () => {
    const before = {
      'ARTIFACT.md': '---\ntype: rule\nrule_mode: Always\nrule_globs: a\nversion: 1.0.0\n---\n',
    };
    expect(fix(before)).toEqual({
      files: { 'ARTIFACT.md': '---\ntype: rule\nrule_mode: always\nversion: 1.0.0\n---\n' },
      fixed: ['lint.unknown_rule_mode', 'lint.ignored_companion_field'],
    });
  });

  test('fixes both files of a skill', () => {
    const { files, fixed } = fix({
      'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\nlicense: MIT\n---\n',
      'SKILL.md': SKILL.replace('name: check', 'name: checks'),
    });
    expect(files).toEqual({
      'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
      'SKILL.md': SKILL,
    });
    expect(fixed.sort()).toEqual(['lint.skill_artifact_field', 'lint.skill_md_compliance']);
  });
});

describe('fixArtifact leaves unchanged', () => {
  test.each<[what: string, frontmatter: string]>([
    ['what is right', 'type: rule\nversion: 1.0.0\nrule_mode: always\ntags: [a]\n'],
    ['a version of two numbers', 'type: rule\nversion: 1.0\n'],
    ['a mode that is none', 'type: rule\nversion: 1.0.0\nrule_mode: sometimes\n'],
    ['a mapping in braces', '{type: rule, version: 1.0.0, rule_globs: a}\n'],
    ['a value others repeat', 'type: rule\nrule_globs: &a x\nversion: 1.0.0\nx-more: *a\n'],
    ['a mode over two lines', 'type: rule\nversion: 1.0.0\nrule_mode:\n  Always\n'],
    ['a block of tags', 'type: rule\nversion: 1.0.0\ntags: |\n  a, b\n'],
    [
      'what is suppressed',
      'type: rule\nversion: 1.0.0\nrule_globs: a\nlint_suppress: [lint.ignored_companion_field]\n',
    ],
    ['what is inherited', 'type: rule\nversion: 1.0.0\nrule_globs: a\nextends: ops/base\n'],
  ])('frontmatter with %s', (_, frontmatter) => {
    const files = { 'ARTIFACT.md': `---\n${frontmatter}---\nBody.\n` };
    expect(fix(files)).toEqual({ files, fixed: [] });
  });

  test('two files that disagree', () => {
    const files = {
      'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\nlicense: Apache-2.0\n---\nOther text.\n',
      'SKILL.md': SKILL.replace('license', 'version: 2.0.0\nlicense'),
    };
    expect(fix(files)).toEqual({ files, fixed: [] });
  });

  test('a name if the folder name is not a valid name', () => {
    const reading = readArtifact(authoredPackage('ops/Not_A_Name', { 'SKILL.md': SKILL }));
    expect(reading.kind === 'ok' ? fixArtifact(reading.artifact) : undefined).toEqual([]);
  });
});

const LINES = [
  'rule_mode: Glob',
  'rule_mode: auto # x',
  'rule_mode: "explicit"',
  'rule_globs: "**/*.ts"',
  'rule_globs: |\n  a\n  b',
  'rule_description: >-\n  When\n\n  it fits',
  'hook_event: Session-Start',
  'hook_action: "bash: x # y"',
  '# a comment',
  '',
  'tags: a, b',
  'tags:\n- a\n- b',
  'tags:\n  - a',
  "'tags': x",
  'sensitivity: LOW',
  'name: check',
  'name:',
  'name: other-name',
  'description: Verify a release.',
  "description: 'Verify a release.'",
  'license: MIT',
  'lint_suppress: lint.skill_artifact_field',
  'target_harnesses: [harness-a]',
  'delegates_to: ops/a@1.x, ops/b',
  'x-anchor: &a {b: c}',
  'x-alias: *a',
  'extends: ops/base',
  'sandbox_profile: ReadOnlyFs',
  '1: one',
  'audit_redact: true, no',
];
const FRONTMATTER = fc
  .tuple(
    fc.constantFrom('rule', 'hook', 'skill', 'command'),
    fc.shuffledSubarray(LINES),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([type, lines, lineBreak]) =>
    `---\ntype: ${type}\nversion: 1.0.0\n${lines.join('\n')}\n---\nRun it.\n`.replaceAll(
      '\n',
      lineBreak,
    ),
  );
const SKILL_FILE = fc
  .shuffledSubarray([
    'name: check',
    'name: checks',
    'description: Verify a release.',
    'license: MIT',
    'tags: [a, b]',
    'x: y',
  ])
  .map((lines) => `---\n${lines.join('\n')}\n---\nRun it.\n`);

describe('fixArtifact for random files', () => {
  const PACKAGE = fc.record({ 'ARTIFACT.md': FRONTMATTER, 'SKILL.md': SKILL_FILE });

  test('is idempotent, and fixed findings are not reported again', () => {
    fc.assert(
      fc.property(PACKAGE, (before) => {
        const { files, fixed } = fix(before);
        expect(fix(files)).toEqual({ files, fixed: [] });
        const found = findings(files);
        const reported = findings(before);
        // After a repair of different values, the two files repeat the same value.
        const repairedMismatches = countOf('lint.skill_artifact_field_mismatch', reported);
        for (const code of new Set(fixed)) {
          const repairs = fixed.filter((one) => one === code).length;
          const brought = code === 'lint.skill_artifact_field' ? repairedMismatches : 0;
          expect(countOf(code, found)).toBeLessThanOrEqual(
            Math.max(0, countOf(code, reported) + brought - repairs),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  test('keeps all other lines in their order', () => {
    fc.assert(
      fc.property(PACKAGE, (before) => {
        const { files } = fix(before);
        for (const [name, text] of Object.entries(files)) {
          const kept = text.split('\n').filter((line) => !isRepaired(line));
          expect(isSubsequence(kept, (before as PackageTexts)[name]?.split('\n') ?? [])).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function isRepaired(line: string): boolean {
  return /^'?(?:name|rule_mode|hook_event|sensitivity|sandbox_profile|tags|delegates_to|lint_suppress|audit_redact)'?:/.test(
    line,
  );
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const line of whole) if (line === part[at]) at += 1;
  return at === part.length;
}
