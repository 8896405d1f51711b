import { authoredPackage, type PackageTexts } from '@catalog/testkit/authored-package';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import type { AuthoredDomain, LayerSnapshot, RefusedEntry } from '../layer/types.ts';
import { decideSnapshots, type DecidedCatalog } from './decide-snapshots.ts';

type Packages = Readonly<Record<string, PackageTexts | string>>;

/** Creates a layer. A string is additional frontmatter of a rule. */
function layer(name: string, packages: Packages, more: Partial<LayerSnapshot> = {}): LayerSnapshot {
  return {
    layer: name,
    packages: Object.entries(packages).map(([id, files]) =>
      authoredPackage(
        id,
        typeof files === 'string' ? { 'ARTIFACT.md': rule(id, files) } : files,
        name,
      ),
    ),
    domains: [],
    refused: [],
    ...more,
  };
}

function rule(id: string, lines: string): string {
  return `---\ntype: rule\nversion: 1.0.0\ndescription: What to do about ${id}.\n${lines}\n---\nText.\n`;
}

function decide(...layers: readonly LayerSnapshot[]): DecidedCatalog {
  return decideSnapshots(layers, { capabilities: new Map() });
}

function outcome({ artifacts, rejected }: DecidedCatalog): { in: string[]; out: string[] } {
  return {
    in: artifacts.map(({ layer, id }) => `${layer}:${id}`),
    out: rejected.map(({ layer, artifact_id, code }) => `${layer}:${artifact_id} ${code}`),
  };
}

describe('decideSnapshots rejects single artifacts, never the layer (SPEC-22)', () => {
  const good = { 'ops/good': '' };

  test('rejects an artifact that cannot be decoded', () => {
    const decided = decide(
      layer('base', { ...good, 'ops/bad': { 'ARTIFACT.md': '---\n[\n---\n' } }),
    );
    expect(outcome(decided)).toEqual({
      in: ['base:ops/good'],
      out: ['base:ops/bad ingest.invalid_artifact'],
    });
    expect(decided.rejected[0]?.diagnostics).toMatchObject([
      { code: 'lint.invalid_yaml', file: 'ops/bad/ARTIFACT.md', severity: 'error' },
    ]);
    expect(decided.rejected[0]?.reason).toBe(decided.rejected[0]?.diagnostics[0]?.message);
  });

  test('reports the type of a rejected artifact unless it is unreadable', () => {
    const decided = decide(
      layer('base', {
        'a/no-type': { 'ARTIFACT.md': '---\nversion: 1.0.0\n---\n' },
        'b/rule': 'rule_mode: glob',
        'c/typo': { 'ARTIFACT.md': rule('c', 'tags: 5').replace('type: rule', 'type: rul') },
        'd/unreadable': { 'ARTIFACT.md': '---\n[\n---\n' },
        'e/skill': { 'SKILL.md': '---\n[\n---\n' },
      }),
    );
    expect(decided.rejected.map(({ artifact_id, type }) => [artifact_id, type])).toEqual([
      ['a/no-type', undefined],
      ['b/rule', 'rule'],
      ['c/typo', undefined],
      ['d/unreadable', undefined],
      ['e/skill', 'skill'],
    ]);
  });

  test('rejects an artifact with lint errors', () => {
    const decided = decide(
      layer('base', { ...good, 'ops/bad': 'rule_mode: glob', 'ops/worse': 'tags: 5' }),
    );
    expect(outcome(decided)).toEqual({
      in: ['base:ops/good'],
      out: ['base:ops/bad ingest.lint_failed', 'base:ops/worse ingest.lint_failed'],
    });
    expect(decided.rejected[0]?.reason).toContain('rule_globs');
  });

  test('rejects an artifact with entries that the layer could not read', () => {
    const refused: RefusedEntry[] = [
      {
        path: 'ops/bad/data.bin',
        code: 'ingest.source_unreachable',
        reason: 'is a link that leaves the layer',
        artifact_id: 'ops/bad',
      },
      {
        path: 'lost',
        code: 'ingest.source_unreachable',
        reason: 'cannot be read: permission denied',
      },
    ];
    const decided = decide(layer('base', { ...good, 'ops/bad': '' }, { refused }));
    expect(outcome(decided)).toEqual({
      in: ['base:ops/good'],
      out: ['base:lost ingest.source_unreachable', 'base:ops/bad ingest.source_unreachable'],
    });
    expect(decided.rejected[1]?.reason).toBe('ops/bad/data.bin is a link that leaves the layer.');
    expect(decided.rejected.flatMap(({ diagnostics }) => diagnostics)).toMatchObject([
      { artifact_id: 'lost', file: 'lost', severity: 'error' },
      { artifact_id: 'ops/bad', file: 'ops/bad/data.bin', code: 'ingest.source_unreachable' },
    ]);
  });

  test.each([
    ['', /root of a layer/, 'ARTIFACT.md', /parent folder/],
    ['ops/a@b', /contains @/, 'ops/a@b/ARTIFACT.md', /Rename/],
    ['ops/nul', /Windows/, 'ops/nul/ARTIFACT.md', /Rename/],
  ])('rejects the invalid id %j', (id, reason, file, fix) => {
    const decided = decide(layer('base', { ...good, [id]: '' }));
    expect(outcome(decided).in).toEqual(['base:ops/good']);
    expect(decided.rejected).toMatchObject([
      {
        artifact_id: id === '' ? 'ARTIFACT.md' : id,
        code: 'ingest.invalid_artifact',
        reason: expect.stringMatching(reason),
        diagnostics: [{ file, message: expect.stringMatching(reason) }],
      },
    ]);
    expect(decided.rejected[0]?.diagnostics[0]?.fix).toMatch(fix);
  });

  test('rejects an unreadable domain file', () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const domains: AuthoredDomain[] = [
      { path: 'ops', bytes: bytes('---\ndescription: Operations.\n---\n') },
      { path: 'bad', bytes: bytes('no frontmatter') },
      { path: 'worse', bytes: bytes('---\ndescription: [a]\n---\n') },
    ];
    const decided = decide(layer('base', good, { domains }));
    expect(decided.domains.map(({ path }) => path)).toEqual(['ops']);
    expect(outcome(decided).out).toEqual([
      'base:bad/DOMAIN.md ingest.invalid_artifact',
      'base:worse/DOMAIN.md ingest.lint_failed',
    ]);
  });
});

test('reports warnings of accepted artifacts as advisories, and of rejected ones with the rejection', () => {
  const decided = decide(
    layer('base', {
      'ops/in': { 'ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\ndescription: thin\n---\n' },
      'ops/out': {
        'ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\ndescription: poor\nrule_mode: glob\n---\n',
      },
    }),
  );
  expect(decided.advisories.map(({ code, artifact_id }) => [code, artifact_id])).toEqual([
    ['lint.thin_description', 'ops/in'],
  ]);
  expect(decided.rejected[0]?.diagnostics.map(({ code }) => code)).toEqual([
    'lint.required_field_missing',
    'lint.thin_description',
  ]);
});

test('decideSnapshots reports advice about domains as advisories', () => {
  const bytes = new TextEncoder().encode('---\ninclude: [nowhere/*]\n---\n');
  const { advisories } = decide(layer('base', {}, { domains: [{ path: 'ops', bytes }] }));
  expect(advisories.map(({ code }) => code)).toEqual(['lint.domain_import_unresolved']);
});

describe('decideSnapshots collisions', () => {
  test('rejects an artifact without extends that shadows an id of a lower layer', () => {
    const decided = decide(
      layer('base', { a: '' }),
      layer('team', { a: '' }),
      layer('top', { a: '' }),
    );
    expect(outcome(decided)).toEqual({
      in: ['base:a'],
      out: ['team:a ingest.collision', 'top:a ingest.collision'],
    });
    expect(decided.rejected[0]).toMatchObject({
      reason: 'Layer `base` has the same id.',
      diagnostics: [
        {
          code: 'ingest.collision',
          severity: 'error',
          file: 'a/ARTIFACT.md',
          line: 1,
          fix: 'Rename this one, or let it extend a.',
        },
      ],
    });
  });

  test('accepts an artifact with extends that shadows an id of a lower layer', () => {
    const decided = decide(
      layer('base', { a: '', b: '' }),
      layer('team', { a: 'extends: a', b: 'extends: a' }),
    );
    expect(outcome(decided)).toEqual({ in: ['base:a', 'team:a', 'base:b', 'team:b'], out: [] });
  });

  test('lets the overlay replace artifacts without a collision', () => {
    const decided = decide(
      layer('base', { a: '' }),
      layer('overlay', { a: 'x: 1' }, { overlay: true }),
    );
    expect(outcome(decided)).toEqual({ in: ['base:a', 'overlay:a'], out: [] });
  });

  test('ignores rejected artifacts when checking collisions', () => {
    const decided = decide(
      layer('base', { a: 'rule_mode: glob', b: 'extends: nowhere' }),
      layer('team', { a: '', b: '' }),
    );
    expect(outcome(decided)).toEqual({
      in: ['team:a', 'team:b'],
      out: ['base:a ingest.lint_failed', 'base:b ingest.invalid_artifact'],
    });
  });
});

describe('decideSnapshots extends', () => {
  verifies('FM-06', 'serves a child merged with the pinned version of its parent', () => {
    const decided = decide(
      layer('base', {
        'ops/base': {
          'ARTIFACT.md':
            '---\ntype: rule\nversion: 1.4.2\ndescription: The base of many rules.\ntags: [base]\n---\nBase.\n',
        },
        'a/child': {
          'ARTIFACT.md':
            '---\ntype: rule\nversion: 1.0.0\nextends: ops/base@1.4.x\ntags: [child]\n---\n',
        },
        'a/orphan': {
          'ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\nextends: ops/base@1.5.x\n---\n',
        },
      }),
    );
    expect(outcome(decided)).toEqual({
      in: ['base:a/child', 'base:ops/base'],
      out: ['base:a/orphan ingest.invalid_artifact'],
    });
    expect(decided.artifacts[0]).toMatchObject({
      description: 'The base of many rules.',
      body: 'Base.\n',
      fields: { tags: ['base', 'child'] },
    });
    expect(decided.rejected[0]?.reason).toContain('1.4.2');
  });

  test('merges a chain across three layers, in any order of ids', () => {
    const decided = decide(
      layer('org', { z: 'tags: [org]' }),
      layer('team', { m: 'extends: z@1.x\ntags: [team]' }),
      layer('mine', { a: 'extends: m\ntags: [mine]', m: 'extends: m\ntags: [overlaid]' }),
    );
    expect(decided.rejected).toEqual([]);
    expect(decided.artifacts.map(({ id, layer, fields }) => [id, layer, fields.tags])).toEqual([
      ['a', 'mine', ['org', 'team', 'overlaid', 'mine']],
      ['m', 'team', ['org', 'team']],
      ['m', 'mine', ['org', 'team', 'overlaid']],
      ['z', 'org', ['org']],
    ]);
  });

  test("merges a parent of the child's layer or below, and ignores higher layers", () => {
    const decided = decide(
      layer('org', { base: 'tags: [org]', child: 'extends: base' }),
      layer('team', { base: 'extends: base\ntags: [team]' }),
    );
    const child = decided.artifacts.find(({ id }) => id === 'child');
    expect(child?.fields.tags).toEqual(['org']);
  });

  test('finds a parent that exists only in a higher layer, but not in the overlay', () => {
    const child = { child: 'extends: base' };
    const above = decide(layer('a-team', child), layer('shared', { base: 'tags: [shared]' }));
    expect(above.artifacts.find(({ id }) => id === 'child')?.fields.tags).toEqual(['shared']);
    const overlaid = decide(layer('org', child), layer('overlay', { base: '' }, { overlay: true }));
    expect(outcome(overlaid)).toEqual({
      in: ['overlay:base'],
      out: ['org:child ingest.invalid_artifact'],
    });
  });

  test('lets an overlay extend the artifact that it overlays', () => {
    const decided = decide(
      layer('org', { base: 'tags: [org]' }),
      layer('overlay', { base: 'extends: base\ntags: [local]' }, { overlay: true }),
    );
    expect(decided.artifacts[1]).toMatchObject({
      layer: 'overlay',
      fields: { tags: ['org', 'local'] },
    });
  });

  test('resolves an exact pin below a layer that has another version', () => {
    const versioned = (version: string, more = ''): PackageTexts => ({
      'ARTIFACT.md': `---\ntype: rule\nversion: ${version}\ntags: [v${version}]\n${more}---\n`,
    });
    const decided = decide(
      layer('org', { base: versioned('1.0.0') }),
      layer('team', {
        base: versioned('2.0.0', 'extends: base\n'),
        exact: 'extends: base@1.0.0',
        range: 'extends: base@1.x',
        latest: 'extends: base',
      }),
    );
    const tags = new Map(decided.artifacts.map(({ id, fields }) => [id, fields.tags]));
    expect(tags.get('exact')).toEqual(['v1.0.0']);
    expect(tags.get('latest')).toEqual(['v1.0.0', 'v2.0.0']);
    expect(outcome(decided).out).toEqual(['team:range ingest.invalid_artifact']);
  });

  test('resolves a hash of served content, merged or not', () => {
    const base = layer('org', { base: 'tags: [org]' });
    const team = { base: 'extends: base\ntags: [team]' };
    const [lower, upper] = decide(base, layer('team', team)).artifacts;
    const decided = decide(
      base,
      layer('team', {
        ...team,
        a: `extends: base@${lower?.content_hash}`,
        b: `extends: base@${upper?.content_hash}`,
      }),
    );
    expect(decided.rejected).toEqual([]);
    expect(decided.artifacts.slice(0, 2).map(({ fields }) => fields.tags)).toEqual([
      ['org'],
      ['org', 'team'],
    ]);
  });

  test('rejects all members of a cycle, and an outside child with its own reason', () => {
    const decided = decide(
      layer('base', {
        a: 'extends: b',
        b: 'extends: c',
        c: 'extends: a',
        outside: 'extends: b',
        alone: 'extends: alone',
      }),
    );
    expect(outcome(decided)).toEqual({
      in: [],
      out: ['a', 'alone', 'b', 'c', 'outside'].map((id) => `base:${id} ingest.invalid_artifact`),
    });
    const reasons = new Map(
      decided.rejected.map(({ artifact_id, reason }) => [artifact_id, reason]),
    );
    for (const id of ['a', 'b', 'c']) expect(reasons.get(id)).toContain('in a cycle: a, b, c');
    expect(reasons.get('outside')).toBe('It extends `b`, which was itself rejected.');
    expect(reasons.get('alone')).toBe('It extends `alone`, which does not exist.');
    for (const { reason, diagnostics } of decided.rejected) {
      expect(diagnostics).toMatchObject([
        { message: reason, line: 5, column: 1, excerpt: expect.stringMatching(/^extends: /) },
      ]);
    }
  });

  test('rejects a cycle across two layers', () => {
    const decided = decide(layer('low', { a: 'extends: b' }), layer('high', { b: 'extends: a' }));
    expect(decided.rejected.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining('in a cycle: a, b')),
    );
  });

  test('rejects a cycle through a hash', () => {
    const hash = `sha256:${'0'.repeat(64)}`;
    const decided = decide(layer('base', { a: `extends: b@${hash}`, b: 'extends: a' }));
    expect(decided.rejected).toHaveLength(2);
  });

  test('reports to a child of an unreadable artifact that its parent was rejected', () => {
    const unreadable = { 'ARTIFACT.md': '---\ntype: rule\n' };
    const decided = decide(
      layer('base', { a: unreadable, sibling: 'extends: a' }),
      layer('team', { a: 'extends: a', other: 'extends: a@1.0.0' }),
      layer('overlay', { o: unreadable, a: 'extends: o' }, { overlay: true }),
    );
    const reasons = new Map(
      decided.rejected.map(({ layer, artifact_id, reason }) => [`${layer}:${artifact_id}`, reason]),
    );
    for (const id of ['base:sibling', 'team:a', 'team:other']) {
      expect(reasons.get(id), id).toBe('It extends `a`, which was itself rejected.');
    }
    expect(reasons.get('overlay:a')).toBe('It extends `o`, which does not exist.');
  });

  test('finds no cycle through versions that no pin refers to', () => {
    const low = layer('low', { b: 'tags: [low]' });
    const hash = decide(low).artifacts[0]?.content_hash;
    const byHash = decide(low, layer('high', { a: `extends: b@${hash}`, b: 'extends: a' }));
    expect(byHash.rejected).toEqual([]);
    const byVersion = decide(
      layer('low', { b: { 'ARTIFACT.md': '---\ntype: rule\nversion: 0.9.0\n---\n' } }),
      layer('high', { a: 'extends: b@0.9.0', b: 'extends: a' }),
    );
    expect(byVersion.rejected).toEqual([]);
    const byLayer = decide(
      layer('low', { b: 'extends: a' }),
      layer('high', { a: 'extends: b', b: 'tags: [high]\nextends: c', c: '' }),
    );
    expect(byLayer.rejected).toEqual([]);
    expect(byLayer.artifacts.find(({ id }) => id === 'a')?.fields.tags).toEqual(['high']);
  });

  test.each([
    ['deprecated', 'deprecated: true', /deprecated/, 'ingest.invalid_artifact'],
    ['rejected', 'rule_mode: glob', /itself rejected/, 'ingest.invalid_artifact'],
  ])('rejects the child of a %s parent', (_, parent, reason, code) => {
    const decided = decide(layer('base', { base: parent, child: 'extends: base' }));
    expect(decided.rejected.find(({ artifact_id }) => artifact_id === 'child')).toMatchObject({
      code,
      reason: expect.stringMatching(reason),
    });
  });

  test("rejects a child that repeats its parent's id through an anchor with registry.invalid_argument", () => {
    const decided = decide(layer('base', { base: '', child: 'extends: &p base@1.0.0\nx: *p' }));
    expect(outcome(decided)).toEqual({
      in: ['base:base'],
      out: ['base:child registry.invalid_argument'],
    });
  });

  test("accepts a child that writes its parent's id literally in another value (inheritance rule 5)", () => {
    const decided = decide(layer('base', { base: '', child: 'extends: base\nx: base@1.0.0' }));
    expect(outcome(decided)).toEqual({ in: ['base:base', 'base:child'], out: [] });
  });

  test('rejects an invalid extends', () => {
    const decided = decide(layer('base', { base: '', child: 'extends: base@newest' }));
    expect(decided.rejected).toMatchObject([
      {
        code: 'ingest.invalid_artifact',
        reason: expect.stringContaining('not a version pin'),
        diagnostics: [{ line: 5, excerpt: 'extends: base@newest' }],
      },
    ]);
  });

  test('reports lint findings together with an unusable extends, each with its own fix', () => {
    const decided = decide(
      layer('base', { base: '', child: 'extends: base@9.x\neffort_hint: low' }),
    );
    expect(decided.rejected).toMatchObject([
      {
        diagnostics: [
          { code: 'lint.hint_on_unsupported_type', line: 6 },
          { code: 'ingest.invalid_artifact', line: 5, fix: 'Pin a version that exists.' },
        ],
      },
    ]);
  });

  test('lints a child with its inherited values', () => {
    const hook = (lines: string): PackageTexts => ({
      'ARTIFACT.md': `---\ntype: hook\nversion: 1.0.0\ndescription: Logs the end of turns.\n${lines}---\n`,
    });
    const decided = decide(
      layer('base', {
        full: hook('hook_event: stop\nhook_action: run\n'),
        half: hook('hook_event: stop\nextends: full\n'),
      }),
    );
    expect(outcome(decided).in).toEqual(['base:full', 'base:half']);
  });

  test('reports findings of the merged content at the extends of the child', () => {
    const decided = decide(
      layer('base', {
        base: 'rule_mode: glob\nrule_globs: "a/**"',
        child: 'rule_mode: auto\nextends: base',
      }),
    );
    expect(decided.rejected).toMatchObject([
      {
        artifact_id: 'child',
        code: 'ingest.lint_failed',
        diagnostics: [
          {
            code: 'lint.ignored_companion_field',
            file: 'child/ARTIFACT.md',
            line: 6,
            excerpt: 'extends: base',
          },
          { code: 'lint.required_field_missing', file: 'child/ARTIFACT.md', line: 6 },
        ],
      },
    ]);
  });

  test.each([
    ['another license in another layer', 'license: MIT', 'license: Apache-2.0', 'team', 1],
    ['the same license', 'license: MIT', 'license: MIT', 'team', 0],
    ['no license of its own', 'license: MIT', '', 'team', 0],
    ['a parent without one', '', 'license: MIT', 'team', 0],
    ['the same layer', 'license: MIT', 'license: Apache-2.0', 'base', 0],
    [
      'told not to',
      'license: MIT',
      'license: Apache-2.0\nlint_suppress: [lint.license_changed_across_layers]',
      'team',
      0,
    ],
  ])('reports a license change: %s', (_, parent, child, where, count) => {
    const base = layer('base', {
      base: parent,
      ...(where === 'base' ? { child: `extends: base\n${child}` } : {}),
    });
    const team = layer('team', where === 'team' ? { child: `extends: base\n${child}` } : {});
    const found = decide(base, team).advisories.filter(
      ({ code }) => code === 'lint.license_changed_across_layers',
    );
    expect(found).toHaveLength(count);
    if (count > 0) expect(found[0]).toMatchObject({ artifact_id: 'child', layer: 'team', line: 6 });
  });
});

test('serves artifacts without extends as authored', () => {
  const text =
    '---\r\n# comment\r\ntype:   rule\r\nversion: "1.0.0"\r\ndescription: Kept as it is.\r\n---\r\nBody\r\n';
  const { artifacts } = decide(layer('base', { a: { 'ARTIFACT.md': text, 'x.md': 'x' } }));
  expect(artifacts[0]?.manifest?.text).toBe(text);
  expect(artifacts[0]?.content_hash).toBe(artifacts[0]?.authored_hash);
});

test('returns the same decisions for any order of packages', () => {
  const packages: Packages = {
    a: 'extends: b',
    b: 'extends: c',
    c: '',
    d: 'extends: e',
    e: 'extends: d',
    f: 'rule_mode: glob',
    g: 'extends: f',
    'h/i': 'extends: c@1.x',
  };
  const expected = decide(layer('base', packages), layer('team', { c: '', b: 'extends: b' }));
  fc.assert(
    fc.property(fc.shuffledSubarray(Object.entries(packages), { minLength: 8 }), (shuffled) => {
      const decided = decide(
        layer('base', Object.fromEntries(shuffled)),
        layer('team', { b: 'extends: b', c: '' }),
      );
      expect(decided).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});

test('rejects a chain of ten thousand artifacts beyond the limit', () => {
  const packages = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => {
      const id = `chain/${String(index).padStart(5, '0')}`;
      const next = `chain/${String(index + 1).padStart(5, '0')}`;
      return [id, index === 9_999 ? '' : `extends: ${next}`];
    }),
  );
  const { artifacts, rejected } = decide(layer('base', packages));
  expect(artifacts).toHaveLength(33);
  expect(rejected).toHaveLength(9_967);
});
