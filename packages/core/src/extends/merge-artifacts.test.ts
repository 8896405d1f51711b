import { artifactOf, type PackageTexts } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { contentHash } from '../artifact/content-hash.ts';
import { readArtifact } from '../artifact/read-artifact.ts';
import type { Artifact } from '../artifact/types.ts';
import { mergeArtifact, namedParentProblem } from './merge-artifacts.ts';

const PARENT = artifactOf('ops/base', {
  'ARTIFACT.md': [
    '---',
    '# a secret of the parent',
    'type: rule',
    'version: 1.0.0',
    'description: The base rule. # of the parent',
    'tags: [base]',
    'sensitivity: medium',
    'x-colour: blue',
    '---',
    'Read [the notes](notes.md).',
    '',
  ].join('\n'),
  'notes.md': 'Notes of the base.',
  'scripts/run.sh': 'echo base',
});

function child(frontmatter: string, body = '', files: PackageTexts = {}): Artifact {
  const text = `---\ntype: rule\nversion: 2.0.0\nextends: ops/base@1.x\n${frontmatter}---\n${body}`;
  return artifactOf('ops/special', { 'ARTIFACT.md': text, ...files }, 'team');
}

function resourceTexts(artifact: Artifact): Record<string, string> {
  return Object.fromEntries(
    artifact.resources.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]),
  );
}

describe('mergeArtifact', () => {
  test('serves a manifest that stands for itself', () => {
    const merged = mergeArtifact(
      child('# mine\ntags: [special]\nx-shape: round\n', 'Own text.\n'),
      PARENT,
    );
    expect(merged.manifest?.text).toBe(
      [
        '---',
        'type: rule',
        'version: 2.0.0',
        'tags:',
        '  - base',
        '  - special',
        'x-shape: round',
        'description: The base rule.',
        'sensitivity: medium',
        'x-colour: blue',
        '---',
        'Own text.',
        '',
      ].join('\n'),
    );
    expect(merged).toMatchObject({
      id: 'ops/special',
      layer: 'team',
      version: '2.0.0',
      description: 'The base rule.',
      body: 'Own text.\n',
      fields: { tags: ['base', 'special'], sensitivity: 'medium' },
    });
    expect(merged.fields.extends).toBeUndefined();
  });

  test('hashes what is served, and keeps the hash of what was authored', () => {
    const authored = child('');
    const merged = mergeArtifact(authored, PARENT);
    const bytes = new TextEncoder().encode(merged.manifest?.text);
    expect(merged.content_hash).toBe(
      contentHash([{ path: 'ARTIFACT.md', bytes, executable: false }, ...merged.resources]),
    );
    expect(merged.authored_hash).toBe(authored.authored_hash);
    expect(merged.content_hash).not.toBe(merged.authored_hash);
  });

  test('is what a consumer reads from the served bytes', () => {
    const merged = mergeArtifact(child('tags: [special]\n'), PARENT);
    const reading = readArtifact({
      id: merged.id,
      layer: merged.layer,
      manifest: new TextEncoder().encode(merged.manifest?.text),
      skill: undefined,
      resources: merged.resources,
    });
    expect(reading).toEqual({
      kind: 'ok',
      artifact: { ...merged, authored_hash: merged.content_hash },
      diagnostics: [],
    });
  });

  test('a child without a text carries its parent’s, and the files it speaks of', () => {
    const merged = mergeArtifact(
      child('', ' \n', { 'scripts/run.sh': 'echo special', 'extra.md': 'x' }),
      PARENT,
    );
    expect(merged.body).toBe(PARENT.body);
    expect(resourceTexts(merged)).toEqual({
      'extra.md': 'x',
      'notes.md': 'Notes of the base.',
      'scripts/run.sh': 'echo special',
    });
    expect(merged.resources.map(({ path }) => path)).toEqual([
      'extra.md',
      'notes.md',
      'scripts/run.sh',
    ]);
    expect(merged.resources.map(({ executable }) => executable)).toEqual([false, false, true]);
  });

  test('a child with a text of its own keeps to its own files', () => {
    const merged = mergeArtifact(child('', 'Mine.\n', { 'mine.md': 'x' }), PARENT);
    expect(resourceTexts(merged)).toEqual({ 'mine.md': 'x' });
  });

  test('a chain gives the same bytes from either end', () => {
    const middle = artifactOf('ops/middle', {
      'ARTIFACT.md':
        '---\ntype: rule\nversion: 1.5.0\nextends: ops/base\ntags: [mid]\nname: mid\n---\n',
      'mid.md': 'm',
    });
    const leaf = child('when_to_use: [always]\n');
    const fromRoot = mergeArtifact(leaf, mergeArtifact(middle, PARENT));
    const fromLeaf = mergeArtifact(mergeArtifact(leaf, middle), PARENT);
    expect(fromRoot).toEqual(fromLeaf);
    expect(fromRoot.fields).toMatchObject({ name: 'mid', tags: ['base', 'mid'] });
  });

  test('types must be equal', () => {
    const other = artifactOf('ops/base', {
      'ARTIFACT.md': '---\ntype: agent\nversion: 1.0.0\n---\n',
    });
    expect(() => mergeArtifact(child(''), other)).toThrow(
      expect.objectContaining({
        code: 'ingest.invalid_artifact',
        message: 'Its type is `rule`, and that of `ops/base`, which it extends, is `agent`.',
      }),
    );
  });

  test.each([
    [
      'more entries than a list may have',
      Array.from({ length: 200 }, (_, index) => `"${index}"`),
      /256/,
    ],
    [
      'more bytes than frontmatter may have',
      [`"${'x'.repeat(16_000)}"`, `"${'y'.repeat(16_000)}"`, `"${'z'.repeat(16_000)}"`],
      /65536/,
    ],
  ])('refuses %s, though neither side alone has', (_, entries, message) => {
    const list = `when_to_use: [${entries.join(', ')}]\n`;
    const text = `---\ntype: rule\nversion: 1.0.0\n${list}---\n`;
    const parent = artifactOf('ops/base', { 'ARTIFACT.md': text });
    const run = (): Artifact => mergeArtifact(child(list), parent);
    expect(run).toThrow(expect.objectContaining({ code: 'ingest.invalid_artifact' }));
    expect(run).toThrow(message);
  });

  test('refuses a key that cannot be written again', () => {
    expect(() => mergeArtifact(child('"two\\nlines": 1\n'), PARENT)).toThrow(
      expect.objectContaining({ code: 'ingest.invalid_artifact' }),
    );
  });
});

describe('a skill that extends a skill', () => {
  const SKILL_PARENT = artifactOf('ops/check', {
    'ARTIFACT.md':
      '---\ntype: skill\nversion: 1.0.0\ndescription: Repeated here.\ntags: [a]\n---\n<!-- base -->\n',
    'SKILL.md':
      '---\nname: check\ndescription: Checks a release.\nlicense: MIT\nallowed-tools: Read\n---\nRun scripts/check.sh.\n',
    'scripts/check.sh': 'true',
  });
  const ARTIFACT =
    '---\ntype: skill\nversion: 2.0.0\nextends: ops/check\ntags: [b]\n---\n<!-- mine -->\n';

  test('inherits in SKILL.md by the same table (decision 23)', () => {
    const skill = '---\nname: verify\nallowed-tools: Bash\n---\n';
    const merged = mergeArtifact(
      artifactOf('ops/verify', { 'ARTIFACT.md': ARTIFACT, 'SKILL.md': skill }),
      SKILL_PARENT,
    );
    expect(merged.skill?.text).toBe(
      '---\nname: verify\nallowed-tools: Bash\ndescription: Checks a release.\nlicense: MIT\n---\nRun scripts/check.sh.\n',
    );
    expect(merged.manifest?.text).toBe(
      '---\ntype: skill\nversion: 2.0.0\ntags:\n  - a\n  - b\n---\n<!-- mine -->\n',
    );
    expect(merged).toMatchObject({ name: 'verify', description: 'Checks a release.' });
    expect(resourceTexts(merged)).toEqual({ 'scripts/check.sh': 'true' });
  });

  test('keeps a SKILL.md that inherits nothing, byte for byte', () => {
    const skill =
      '---\n# mine\nname:   verify\ndescription: "Mine."\nlicense: MIT\nallowed-tools: Read\n---\r\nMy own.\n';
    const merged = mergeArtifact(
      artifactOf('ops/verify', { 'ARTIFACT.md': ARTIFACT, 'SKILL.md': skill }),
      SKILL_PARENT,
    );
    expect(merged.skill?.text).toBe(skill);
  });

  test('overlays its own id without a SKILL.md', () => {
    const merged = mergeArtifact(
      artifactOf('ops/check', { 'ARTIFACT.md': ARTIFACT }, 'team'),
      SKILL_PARENT,
    );
    expect(merged).toMatchObject({
      name: 'check',
      description: 'Checks a release.',
      layer: 'team',
    });
    expect(merged.body).toBe('Run scripts/check.sh.\n');
  });

  test('extends a bare skill', () => {
    const bare = artifactOf('ops/check', {
      'SKILL.md': '---\nname: check\ndescription: Bare.\n---\nText.\n',
    });
    const merged = mergeArtifact(
      artifactOf('ops/check', { 'ARTIFACT.md': ARTIFACT }, 'team'),
      bare,
    );
    expect(merged).toMatchObject({ version: '2.0.0', description: 'Bare.', body: 'Text.\n' });
  });
});

/** Every way in which a child may say whom it extends and still name that parent when it is served. */
const SPELLINGS: readonly (readonly [why: string, frontmatter: string, refused: boolean])[] = [
  ['plain', 'extends: ops/base@1.x', false],
  ['quoted value', 'extends: "ops/base@1.x"', false],
  ['quoted key', '"extends": ops/base', false],
  ['escaped key', '"exte\\x6eds": ops/base', false],
  ['folded value', 'extends: >-\n  ops/base', false],
  ['unused anchor', 'extends: &p ops/base@1.x', false],
  ['comment', '# from ops/base\nextends: ops/base', false],
  [
    'prose that mentions it',
    'extends: ops/base\nrelease_notes: Now follows ops/base again.',
    false,
  ],
  ['an id that only begins like it', 'extends: ops/base\ndelegates_to: [ops/base-two]', false],
  ['merge key', 'x-base: &b {extends: ops/base@1.x}\n<<: *b', true],
  ['merge key, list', 'x-base: &b {extends: ops/base@1.x}\n<<: [*b]', true],
  ['merge key of an inline mapping', '<<: {extends: ops/base@1.x}', false],
  ['anchor used elsewhere', 'extends: &p ops/base@1.x\nx-also: *p', true],
  ['anchor on an earlier value', 'x-first: &p ops/base\nextends: *p', true],
  ['anchor inside a list', 'extends: &p ops/base\nx-list: [1, [*p]]', true],
  ['a field that names it', 'extends: ops/base\ndelegates_to: [ops/base]', true],
  ['with a pin', 'extends: ops/base\ndelegates_to: ["ops/base@9.9.9"]', true],
  ['with a hash', `extends: ops/base\nx: ops/base@sha256:${'0'.repeat(64)}`, true],
  ['with spaces', 'extends: ops/base\nx: "  ops/base "', true],
  ['with slashes', 'extends: ops/base\nx: /ops/base/', true],
  ['with spaces before the pin', 'extends: ops/base\nx: "ops/base @1.0.0"', true],
  ['as a key', 'extends: ops/base\nx: {ops/base: 1}', true],
  ['as a top-level key', 'extends: ops/base\nops/base: 1', true],
  ['deep inside', 'extends: ops/base\nx: [[{a: {b: [ops/base]}}]]', true],
  ['replaced_by', 'extends: ops/base\nreplaced_by: ops/base', true],
];

describe('a hidden parent (inheritance rule 5)', () => {
  test.each(SPELLINGS)('%s', (_, frontmatter, refused) => {
    const text = `---\ntype: agent\nversion: 2.0.0\n${frontmatter}\n---\nBuilds on ops/base.\n`;
    const authored = artifactOf('ops/special', { 'ARTIFACT.md': text });
    const parent = artifactOf('ops/base', {
      'ARTIFACT.md': '---\ntype: agent\nversion: 1.0.0\n---\n',
    });
    expect(authored.fields.extends).toMatch(/^ops\/base/);
    const merged = mergeArtifact(authored, parent);
    const problem = namedParentProblem(merged, ['ops/base']);
    expect(problem?.code).toBe(refused ? 'registry.invalid_argument' : undefined);
    expect(problem?.message ?? '').not.toContain('ops/base');
    if (!refused) {
      const { frontmatter: served = '' } = merged.manifest ?? {};
      expect(served).not.toMatch(/ops\/base(?!-two| again)/);
      expect(served).not.toContain('extends');
    }
  });

  test('an artifact further up the chain is as hidden as the parent', () => {
    const text = '---\ntype: rule\nversion: 2.0.0\nextends: ops/base\nx: ops/root\n---\n';
    const authored = artifactOf('ops/special', { 'ARTIFACT.md': text });
    const merged = mergeArtifact(authored, PARENT);
    expect(namedParentProblem(merged, ['ops/base'])).toBeUndefined();
    expect(namedParentProblem(merged, ['ops/base', 'ops/root'])).toMatchObject({
      code: 'registry.invalid_argument',
      message: expect.stringContaining('`x`'),
    });
  });

  test('an overlay of its own id may name itself', () => {
    const text = '---\ntype: rule\nversion: 2.0.0\nextends: ops/base\nx: ops/base\n---\n';
    const merged = mergeArtifact(artifactOf('ops/base', { 'ARTIFACT.md': text }), PARENT);
    expect(namedParentProblem(merged, ['ops/base'])).toBeUndefined();
  });

  test('SKILL.md is searched too', () => {
    const parent = artifactOf('ops/base', {
      'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
      'SKILL.md': '---\nname: base\ndescription: d\n---\n',
    });
    const authored = artifactOf('ops/special', {
      'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\nextends: ops/base\n---\n',
      'SKILL.md': '---\nname: special\nmetadata: {from: ops/base}\n---\n',
    });
    expect(namedParentProblem(mergeArtifact(authored, parent), ['ops/base'])).toMatchObject({
      code: 'registry.invalid_argument',
      message: expect.stringContaining('SKILL.md cannot be served: `metadata.from`'),
    });
  });
});
