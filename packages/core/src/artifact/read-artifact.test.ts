import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { contentHash } from './content-hash.ts';
import { readArtifact } from './read-artifact.ts';
import type { AuthoredPackage } from './types.ts';

const SKILL_MANIFEST = '---\ntype: skill\nversion: 1.0.0\ntags: [deploy]\nsensitivity: low\n---\n';
const SKILL_FILE =
  '---\nname: check\ndescription: Verify a release before it ships.\n---\nRun scripts/check.sh.\n';
const RULE =
  '---\ntype: rule\nversion: 1.0.0\ndescription: Avoid Friday releases.\n---\nDo not release on Friday.\n';

function pack(files: {
  manifest?: string;
  skill?: string;
  resources?: Record<string, string>;
  executable?: string[];
}): AuthoredPackage {
  return {
    id: 'ops/deploy/check',
    layer: 'team',
    manifest: files.manifest === undefined ? undefined : Buffer.from(files.manifest),
    skill: files.skill === undefined ? undefined : Buffer.from(files.skill),
    resources: Object.entries(files.resources ?? {}).map(([path, text]) => ({
      path,
      bytes: Buffer.from(text),
      executable: files.executable?.includes(path) ?? false,
    })),
  };
}

function read(files: Parameters<typeof pack>[0]) {
  const reading = readArtifact(pack(files));
  if (reading.kind === 'refused') throw new Error(reading.problems[0]?.message);
  return reading;
}

describe('readArtifact', () => {
  verifies('CANON-01', 'reads an artifact from ARTIFACT.md and rejects a folder without it', () => {
    const { artifact, diagnostics } = read({ manifest: RULE });
    expect(diagnostics).toEqual([]);
    expect(artifact).toMatchObject({
      id: 'ops/deploy/check',
      layer: 'team',
      type: 'rule',
      version: '1.0.0',
      name: 'check',
      description: 'Avoid Friday releases.',
      body: 'Do not release on Friday.\n',
      skill: undefined,
      skill_fields: undefined,
    });
    expect(artifact.manifest?.file).toBe('ops/deploy/check/ARTIFACT.md');
    expect(readArtifact(pack({ resources: { 'scripts/a.sh': 'x' } }))).toMatchObject({
      kind: 'refused',
      problems: [
        { code: 'lint.frontmatter_missing', file: 'ops/deploy/check/ARTIFACT.md', line: 1 },
      ],
    });
  });

  verifies('CANON-02', 'reads name, description and body of a skill from SKILL.md', () => {
    const { artifact, diagnostics } = read({ manifest: SKILL_MANIFEST, skill: SKILL_FILE });
    expect(diagnostics).toEqual([]);
    expect(artifact).toMatchObject({
      type: 'skill',
      version: '1.0.0',
      name: 'check',
      description: 'Verify a release before it ships.',
      body: 'Run scripts/check.sh.\n',
      fields: { type: 'skill', version: '1.0.0', tags: ['deploy'], sensitivity: 'low' },
      skill_fields: { name: 'check', description: 'Verify a release before it ships.' },
    });
    expect(artifact.skill?.file).toBe('ops/deploy/check/SKILL.md');
  });

  test('prefers SKILL.md over values that ARTIFACT.md repeats and accepts a skill without SKILL.md', () => {
    const manifest = SKILL_MANIFEST.replace('tags', 'name: other\ndescription: Other.\ntags');
    expect(read({ manifest, skill: SKILL_FILE }).artifact).toMatchObject({
      name: 'check',
      description: 'Verify a release before it ships.',
    });
    expect(read({ manifest, skill: '---\nlicense: MIT\n---\n' }).artifact).toMatchObject({
      name: 'other',
      description: 'Other.',
    });
    expect(read({ manifest: `${manifest}Text.\n` }).artifact).toMatchObject({
      name: 'other',
      description: 'Other.',
      body: '',
    });
  });

  test('ignores SKILL.md in a package of another type', () => {
    const { artifact } = read({ manifest: RULE, skill: SKILL_FILE });
    expect(artifact).toMatchObject({
      name: 'check',
      description: 'Avoid Friday releases.',
      body: 'Do not release on Friday.\n',
    });
    expect(artifact.skill?.values['name']).toBe('check');
  });

  verifies(
    'CANON-03',
    'includes bundled files from any subfolder with their executable bit',
    () => {
      const resources = {
        'assets/logo.svg': '<svg/>',
        'references/api.md': '# API',
        'scripts/check.sh': 'exit 0\n',
        'other/x': 'x',
      };
      const files = {
        manifest: SKILL_MANIFEST,
        skill: SKILL_FILE,
        resources,
        executable: ['scripts/check.sh'],
      };
      const { artifact } = read(files);
      expect(artifact.resources.map(({ path, executable }) => [path, executable])).toEqual([
        ['assets/logo.svg', false],
        ['references/api.md', false],
        ['scripts/check.sh', true],
        ['other/x', false],
      ]);
      const bytes = pack(files);
      expect(artifact.content_hash).toBe(
        contentHash([
          { path: 'ARTIFACT.md', bytes: Buffer.from(SKILL_MANIFEST), executable: false },
          { path: 'SKILL.md', bytes: Buffer.from(SKILL_FILE), executable: false },
          ...bytes.resources,
        ]),
      );
      expect(artifact.authored_hash).toBe(artifact.content_hash);
      expect(read({ ...files, executable: [] }).artifact.content_hash).not.toBe(
        artifact.content_hash,
      );
    },
  );

  test('keeps unknown keys in their order', () => {
    const { artifact, diagnostics } = read({
      manifest: '---\nx-team: {b: 1, a: 1.10}\ntype: policy\nzeta: true\nversion: 1.0.0\n---\n',
    });
    expect(diagnostics).toEqual([]);
    expect(Object.entries(artifact.manifest?.values ?? {})).toEqual([
      ['x-team', expect.objectContaining({ b: 1, a: '1.10' })],
      ['type', 'policy'],
      ['zeta', true],
      ['version', '1.0.0'],
    ]);
    expect(artifact.fields).toEqual({ type: 'policy', version: '1.0.0' });
  });
});

describe('readArtifact with invalid files', () => {
  test('reports a missing type or version and leaves the field empty', () => {
    const { artifact, diagnostics } = read({ manifest: '---\nname: check\nversion:\n---\n' });
    expect(artifact).toMatchObject({
      type: '',
      version: '',
      name: 'check',
      fields: { type: '', version: '' },
    });
    expect(
      diagnostics.map(({ code, message, line, column }) => [code, message, line, column]),
    ).toEqual([
      ['lint.required_field_missing', 'The manifest has no `type`.', 1, 1],
      ['lint.required_field_missing', 'The manifest has no `version`.', 3, 1],
    ]);
  });

  test('rejects a version such as 1.10 and reports the authored text', () => {
    const { artifact, diagnostics } = read({ manifest: '---\ntype: rule\nversion: 1.10\n---\n' });
    expect(artifact.version).toBe('');
    expect(diagnostics).toEqual([
      {
        code: 'lint.invalid_version',
        severity: 'error',
        message: '`version` must be a version in the form `major.minor.patch`, but is `1.10`.',
        fix: 'Write three numbers, such as `1.0.0`.',
        artifact_id: 'ops/deploy/check',
        layer: 'team',
        file: 'ops/deploy/check/ARTIFACT.md',
        line: 3,
        column: 1,
        excerpt: 'version: 1.10',
      },
    ]);
  });

  test('reports findings of both files, each with its file name', () => {
    const { diagnostics } = read({
      manifest: SKILL_MANIFEST.replace('low', 'lwo'),
      skill: SKILL_FILE.replace('check', 'Check'),
    });
    expect(diagnostics.map(({ code, file }) => [code, file])).toEqual([
      ['lint.invalid_field', 'ops/deploy/check/ARTIFACT.md'],
      ['lint.invalid_name', 'ops/deploy/check/SKILL.md'],
    ]);
  });

  test('rejects a package with undecodable files and reports all of them', () => {
    const reading = readArtifact(pack({ manifest: 'no fence', skill: '---\na: [\n---\n' }));
    expect(reading.kind).toBe('refused');
    expect(
      reading.kind === 'refused' && reading.problems.map(({ code, file }) => [code, file]),
    ).toEqual([
      ['lint.frontmatter_missing', 'ops/deploy/check/ARTIFACT.md'],
      ['lint.invalid_yaml', 'ops/deploy/check/SKILL.md'],
    ]);
  });
});

describe('readArtifact for a skill without ARTIFACT.md', () => {
  const resources = { 'scripts/check.sh': 'exit 0\n' };

  test('returns a skill artifact with the version in its metadata', () => {
    const skill = SKILL_FILE.replace('---\nRun', 'metadata:\n  version: "2.10.0"\n---\nRun');
    const { artifact, diagnostics } = read({ skill, resources });
    expect(diagnostics).toEqual([]);
    expect(artifact).toMatchObject({
      type: 'skill',
      version: '2.10.0',
      name: 'check',
      description: 'Verify a release before it ships.',
      body: 'Run scripts/check.sh.\n',
      manifest: undefined,
      fields: { type: 'skill', version: '2.10.0' },
    });
    expect(artifact.content_hash).toBe(
      contentHash([
        { path: 'SKILL.md', bytes: Buffer.from(skill), executable: false },
        ...pack({ resources }).resources,
      ]),
    );
  });

  test('derives a missing version from the content and reports a warning', () => {
    const { artifact, diagnostics } = read({ skill: SKILL_FILE, resources });
    expect(artifact.version).toBe(`0.0.0-h${artifact.authored_hash.slice(7, 19)}`);
    expect(artifact.version).toMatch(/^0\.0\.0-h[0-9a-f]{12}$/);
    expect(diagnostics).toMatchObject([
      {
        code: 'lint.derived_version',
        severity: 'warning',
        file: 'ops/deploy/check/SKILL.md',
        line: 1,
      },
    ]);
    expect(read({ skill: `${SKILL_FILE}!`, resources }).artifact.version).not.toBe(
      artifact.version,
    );
    expect(read({ skill: SKILL_FILE, resources }).artifact.version).toBe(artifact.version);
  });

  test.each(['1.0', '"1.0"', 'v1.0.0', '1.0.0-beta'])(
    'derives the version from the content if the metadata has the invalid version %s',
    (stated) => {
      const skill = SKILL_FILE.replace('---\nRun', `metadata: {version: ${stated}}\n---\nRun`);
      const { artifact, diagnostics } = read({ skill });
      expect(artifact.version).toMatch(/^0\.0\.0-h/);
      expect(diagnostics).toMatchObject([{ code: 'lint.derived_version', line: 4, column: 12 }]);
    },
  );

  test('names the skill after its folder if it has no name', () => {
    expect(read({ skill: '---\ndescription: D.\n---\n' }).artifact.name).toBe('check');
  });
});
