import { artifactOf, type PackageTexts } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { contentHash } from '../artifact/content-hash.ts';
import { readArtifact } from '../artifact/read-artifact.ts';
import type { Artifact } from '../artifact/types.ts';
import { mergeArtifact } from './merge-artifacts.ts';
import { resolveExtends, type ParentCandidate, type ResolvedExtends } from './resolve-extends.ts';

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
  test('returns a manifest without references to the parent', () => {
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

  test('hashes the served content and keeps the hash of the authored content', () => {
    const authored = child('');
    const merged = mergeArtifact(authored, PARENT);
    const bytes = new TextEncoder().encode(merged.manifest?.text);
    expect(merged.content_hash).toBe(
      contentHash([{ path: 'ARTIFACT.md', bytes, executable: false }, ...merged.resources]),
    );
    expect(merged.authored_hash).toBe(authored.authored_hash);
    expect(merged.content_hash).not.toBe(merged.authored_hash);
  });

  test('returns the artifact that a consumer reads from the served bytes', () => {
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

  test('gives a child without a body the body and the files of its parent', () => {
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

  test('gives a child with a body only its own files', () => {
    const merged = mergeArtifact(child('', 'Mine.\n', { 'mine.md': 'x' }), PARENT);
    expect(resourceTexts(merged)).toEqual({ 'mine.md': 'x' });
  });

  test('returns the same bytes from either end of a chain', () => {
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

  test('rejects a parent of a different type', () => {
    const other = artifactOf('ops/base', {
      'ARTIFACT.md': '---\ntype: agent\nversion: 1.0.0\n---\n',
    });
    expect(() => mergeArtifact(child(''), other)).toThrow(
      expect.objectContaining({
        code: 'ingest.invalid_artifact',
        message: 'Its type is `rule`, but it extends `ops/base`, which is of type `agent`.',
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
  ])(
    'rejects %s in the merged artifact, even if neither side exceeds the limit alone',
    (_, entries, message) => {
      const list = `when_to_use: [${entries.join(', ')}]\n`;
      const text = `---\ntype: rule\nversion: 1.0.0\n${list}---\n`;
      const parent = artifactOf('ops/base', { 'ARTIFACT.md': text });
      const run = (): Artifact => mergeArtifact(child(list), parent);
      expect(run).toThrow(expect.objectContaining({ code: 'ingest.invalid_artifact' }));
      expect(run).toThrow(message);
    },
  );

  test('rejects a key that cannot be encoded', () => {
    expect(() => mergeArtifact(child('"two\\nlines": 1\n'), PARENT)).toThrow(
      expect.objectContaining({ code: 'ingest.invalid_artifact' }),
    );
  });
});

describe('mergeArtifact with a skill that extends a skill', () => {
  const SKILL_PARENT = artifactOf('ops/check', {
    'ARTIFACT.md':
      '---\ntype: skill\nversion: 1.0.0\ndescription: Repeated here.\ntags: [a]\n---\n<!-- base -->\n',
    'SKILL.md':
      '---\nname: check\ndescription: Checks a release.\nlicense: MIT\nallowed-tools: Read\n---\nRun scripts/check.sh.\n',
    'scripts/check.sh': 'true',
  });
  const ARTIFACT =
    '---\ntype: skill\nversion: 2.0.0\nextends: ops/check\ntags: [b]\n---\n<!-- mine -->\n';

  test('merges SKILL.md by the same rules (SPEC-23)', () => {
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

  test('keeps a SKILL.md that inherits nothing byte for byte', () => {
    const skill =
      '---\n# mine\nname:   verify\ndescription: "Mine."\nlicense: MIT\nallowed-tools: Read\n---\r\nMy own.\n';
    const merged = mergeArtifact(
      artifactOf('ops/verify', { 'ARTIFACT.md': ARTIFACT, 'SKILL.md': skill }),
      SKILL_PARENT,
    );
    expect(merged.skill?.text).toBe(skill);
  });

  test('supports an overlay with the same id and without a SKILL.md', () => {
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

/**
 * Frontmatter that names a parent. The flag is true if the id would remain after the merge, which the specification
 * forbids.
 */
const SPELLINGS: readonly (readonly [why: string, frontmatter: string, refused: boolean])[] = [
  ['plain', 'extends: ops/base@1.x', false],
  ['quoted value', 'extends: "ops/base@1.x"', false],
  ['quoted key', '"extends": ops/base', false],
  ['escaped key', '"exte\\x6eds": ops/base', false],
  ['folded value', 'extends: >-\n  ops/base', false],
  ['unused anchor', 'extends: &p ops/base@1.x', false],
  ['comment', '# from ops/base\nextends: ops/base', false],
  ['merge key', 'x-base: &b {extends: ops/base@1.x}\n<<: *b', true],
  ['merge key, list', 'x-base: &b {extends: ops/base@1.x}\n<<: [*b]', true],
  ['merge key of an inline mapping', '<<: {extends: ops/base@1.x}', false],
  ['anchor used elsewhere', 'extends: &p ops/base@1.x\nx-also: *p', true],
  ['anchor on an earlier value', 'x-first: &p ops/base\nextends: *p', true],
  ['anchor inside a list', 'extends: &p ops/base\nx-list: [1, [*p]]', true],
  ['anchor used as a key', 'extends: &p ops/base\nx: {*p : 1}', true],
  ['anchor with a hash', `extends: &p ops/base@sha256:${'0'.repeat(64)}\nx: *p`, true],
  ['anchor with spaces', 'extends: &p " ops/base"\nx: *p', true],
  ['anchor with spaces before the pin', 'extends: &p "ops/base @1.x"\nx: *p', true],
  ['anchor used deep inside', 'extends: &p ops/base\nx: [[{a: {b: [*p]}}]]', true],
  ['unrelated anchor', 'extends: ops/base\nx: &q other\nx-also: *q', false],
  ['unrelated merge key', 'extends: ops/base\nx: &q {a: 1}\n<<: *q', false],
  ['prose that mentions it', 'extends: ops/base\nrelease_notes: Follows ops/base again.', false],
  ['a field that names it', 'extends: ops/base\ndelegates_to: [ops/base]', false],
  ['a key that names it', 'extends: ops/base\nx: {ops/base: 1}', false],
  ['replaced_by', 'extends: ops/base\nreplaced_by: ops/base', false],
];

describe('resolveExtends with a hidden parent (inheritance rule 5)', () => {
  test.each(SPELLINGS)(
    'checks if the frontmatter still names the parent: %s',
    (_, frontmatter, refused) => {
      const text = `---\ntype: agent\nversion: 2.0.0\n${frontmatter}\n---\nBuilds on ops/base.\n`;
      const authored = artifactOf('ops/special', { 'ARTIFACT.md': text });
      expect(authored.fields.extends?.trim()).toMatch(/^ops\/base/);
      const { refusal, artifact } = resolve(authored, candidate(AGENT));
      expect(refusal?.code).toBe(refused ? 'registry.invalid_argument' : undefined);
      expect(refusal?.message ?? '').not.toContain('ops/base');
      expect(artifact.fields).not.toHaveProperty('extends');
    },
  );

  test('accepts a child whose name or replaced_by is the id of its parent', () => {
    const parent = artifactOf('review', {
      'ARTIFACT.md': '---\ntype: agent\nversion: 1.0.0\ndescription: Reviews.\n---\n',
    });
    const authored = artifactOf('team/review', {
      'ARTIFACT.md':
        '---\ntype: agent\nversion: 1.0.0\nname: review\nreplaced_by: review\nextends: review\n---\n',
    });
    const { refusal, artifact } = resolve(authored, candidate(parent));
    expect(refusal).toBeUndefined();
    expect(artifact).toMatchObject({ name: 'review', description: 'Reviews.' });
  });

  test('rejects a child of a rejected parent if the child names the grandparent', () => {
    const middle = artifactOf('ops/middle', {
      'ARTIFACT.md': '---\ntype: agent\nversion: 1.0.0\nx-base: {extends: ops/root}\n---\n',
    });
    const authored = artifactOf('ops/special', {
      'ARTIFACT.md': '---\ntype: agent\nversion: 1.0.0\nextends: ops/middle\n---\n',
    });
    const stored = { ...candidate(middle), ancestors: ['ops/root'] };
    expect(resolve(authored, stored).refusal).toBeUndefined();
    expect(resolve(authored, { ...stored, is_refused: true }).refusal).toMatchObject({
      code: 'registry.invalid_argument',
      message: expect.stringContaining('`x-base.extends`'),
    });
  });

  test('accepts an overlay that names its id', () => {
    const text = '---\ntype: agent\nversion: 2.0.0\nextends: &p ops/base\nx: *p\n---\n';
    const authored = artifactOf('ops/base', { 'ARTIFACT.md': text });
    expect(resolve(authored, candidate(AGENT)).refusal).toBeUndefined();
  });
});

const AGENT = artifactOf('ops/base', {
  'ARTIFACT.md': '---\ntype: agent\nversion: 1.0.0\n---\n',
});

function candidate(artifact: Artifact): ParentCandidate {
  const { version, content_hash } = artifact;
  const stored = {
    deprecated: false,
    ingest_order: 0,
    ancestors: [],
    is_refused: false,
    is_named: true,
  };
  return { ...stored, version, content_hash, artifact };
}

function resolve(child: Artifact, parent: ParentCandidate): ResolvedExtends {
  const reference = { id: parent.artifact.id, pin: { kind: 'latest' } } as const;
  return resolveExtends(child, reference, [[parent]]);
}
