import type { Diagnostic } from '@catalog/core/lint/diagnostic';
import { describe, expect, test } from 'vitest';
import { toleratedRejections, type RejectionScope } from './tolerated-rejections.ts';

const NO_TOGGLES = { add: [], remove: [] };

function rejection(artifact_id: string, diagnostics: Diagnostic[] = []) {
  return { artifact_id, layer: 'base', code: 'ingest.lint_failed', reason: 'No.', diagnostics };
}

const FOUND: Diagnostic = {
  code: 'lint.frontmatter_missing',
  severity: 'error',
  message: 'No frontmatter.',
  fix: 'Add it.',
  artifact_id: 'ops/check',
  layer: 'base',
  file: 'ops/check/SKILL.md',
  line: 1,
  column: 1,
};

function served(id: string, layer = 'base') {
  return { id, layer };
}

function tolerated(
  given: Partial<RejectionScope> & { include?: string[]; diagnostics?: Diagnostic[] },
  entries: ReturnType<typeof served>[] = [],
): string[] {
  const { include = ['ops/**'], diagnostics = [], toggles = NO_TOGGLES } = given;
  const target = { scope: { include, exclude: [], type: ['skill'] } };
  const rejected = [rejection('ops/check', diagnostics), rejection('web/page', diagnostics)];
  return toleratedRejections({ target, toggles }, { rejected, entries });
}

describe.each([
  ['of a folder', [FOUND]],
  ['of a server', []],
])('toleratedRejections with a rejection %s', (_, diagnostics) => {
  test('tolerates an artifact that is not selected', () => {
    expect(tolerated({ diagnostics })).toEqual(['web/page']);
    expect(tolerated({ diagnostics, include: ['docs/**'] })).toEqual(['ops/check', 'web/page']);
    expect(tolerated({ diagnostics, include: [] })).toEqual([]);
  });

  test('applies toggles to the selection', () => {
    const toggles = { add: ['web/page'], remove: ['ops/check'] };
    expect(tolerated({ diagnostics, toggles })).toEqual(['ops/check']);
  });

  test('tolerates a selected artifact while its layer serves another version', () => {
    const all = ['ops/check', 'web/page'];
    expect(tolerated({ diagnostics }, [served('ops/check')])).toEqual(all);
    expect(tolerated({ diagnostics }, [served('ops/check', 'overlay')])).toEqual(['web/page']);
  });
});

test.each([
  ['skill', []],
  ['rule', ['ops/check']],
  [undefined, []],
])(
  'toleratedRejections: a target for skills tolerates a rejection of type %s as %j',
  (type, expected) => {
    const target = { scope: { include: ['ops/**'], exclude: [], type: ['skill'] } };
    const rejected = [{ ...rejection('ops/check'), ...(type === undefined ? {} : { type }) }];
    const listing = { rejected, entries: [] };
    expect(toleratedRejections({ target, toggles: NO_TOGGLES }, listing)).toEqual(expected);
    const toggles = { add: ['ops/check'], remove: [] };
    expect(toleratedRejections({ target, toggles }, listing)).toEqual([]);
  },
);

test.each([undefined, { scope: { include: [], exclude: [], type: [] } }])(
  "toleratedRejections: a server's rejection fails a run that selects the artifact, for the target %j",
  (target) => {
    const listing = { rejected: [rejection('ops/check')], entries: [] };
    expect(toleratedRejections({ target, toggles: NO_TOGGLES }, listing)).toEqual([]);
  },
);
