import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { VersionDiff } from './version-diff.tsx';

function record(script: string, executable: string[]): ArtifactRecord {
  return {
    id: 'ops/check',
    type: 'skill',
    version: '1.0.0',
    content_hash: 'sha256:0',
    layer: 'base',
    deprecated: false,
    manifest_body: 'The same.\n',
    resources: { 'run.sh': script },
    large_resources: {},
    executable,
  };
}

function render(before: ArtifactRecord, after: ArtifactRecord): string {
  return renderToStaticMarkup(createElement(VersionDiff, { before, after }));
}

test('VersionDiff lists a file if only its executable flag changed', () => {
  const plain = record('true\n', []);
  const program = record('true\n', ['run.sh']);
  expect(render(plain, program)).toContain('now executable');
  expect(render(program, plain)).toContain('not executable');
  expect(render(program, program)).toContain('No differences');
});

test('VersionDiff lists only files that differ', () => {
  const html = render(record('true\n', []), record('false\n', []));
  expect(html).toContain('run.sh');
  expect(html).not.toContain('ARTIFACT.md');
});
