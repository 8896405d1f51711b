import { describe, expect, test } from 'vitest';
import { readDomain } from './read-domain.ts';

function read(text: string) {
  return readDomain({ path: 'ops', bytes: Buffer.from(text) }, 'team');
}

describe('readDomain', () => {
  test('reads every key of a DOMAIN.md', () => {
    const reading = read(`---
unlisted: false
description: Operations.
discovery:
  max_depth: 2
  fold_below_artifacts: 0
  fold_passthrough_chains: false
  notable_count: 5
  target_response_tokens: 3000
  featured: [ops/deploy/check]
  deprioritize: ["ops/old/**"]
  keywords: [release, 2024]
include: ["shared/*"]
exclude: [shared/secret]
x-owner: someone
---
Longer text.
`);
    expect(reading).toEqual({
      kind: 'ok',
      diagnostics: [],
      domain: {
        path: 'ops',
        layer: 'team',
        body: 'Longer text.\n',
        manifest: expect.objectContaining({ file: 'ops/DOMAIN.md', body_line: 17 }),
        fields: {
          unlisted: false,
          description: 'Operations.',
          discovery: {
            max_depth: 2,
            fold_below_artifacts: 0,
            fold_passthrough_chains: false,
            notable_count: 5,
            target_response_tokens: 3000,
            featured: ['ops/deploy/check'],
            deprioritize: ['ops/old/**'],
            keywords: ['release', '2024'],
          },
          include: ['shared/*'],
          exclude: ['shared/secret'],
        },
      },
    });
  });

  test.each([
    ['unlisted: "yes"', '`unlisted` must be true or false, but is `yes`.', 2],
    [
      'discovery: {max_depth: 0}',
      '`discovery.max_depth` must be an integer from 1, but is `0`.',
      2,
    ],
    [
      'discovery:\n  notable_count: 1.5',
      '`discovery.notable_count` must be an integer from 0, but is `1.5`.',
      3,
    ],
    ['include: shared/*', '`include` must be a list, but is `shared/*`.', 2],
    ['discovery: []', '`discovery` must be a map, but is a list.', 2],
  ])('reports %s and leaves the key out', (yaml, message, line) => {
    const reading = read(`---\n${yaml}\n---\n`);
    expect(reading).toMatchObject({
      kind: 'ok',
      domain: { fields: {} },
      diagnostics: [
        {
          code: 'lint.invalid_field',
          message,
          artifact_id: 'ops',
          layer: 'team',
          file: 'ops/DOMAIN.md',
          line,
        },
      ],
    });
    expect(reading.kind === 'ok' && reading.domain.fields).toEqual({});
  });

  test('rejects a DOMAIN.md that cannot be decoded', () => {
    expect(read('Operations.\n')).toMatchObject({
      kind: 'refused',
      problems: [{ code: 'lint.frontmatter_missing', file: 'ops/DOMAIN.md' }],
    });
  });
});
