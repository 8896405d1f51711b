import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { expect, test } from 'vitest';
import { recordCapabilities } from './record-capabilities.ts';

const HASH = `sha256:${'a'.repeat(64)}`;

function record(given: Partial<ArtifactRecord>): ArtifactRecord {
  return {
    id: 'ops/check',
    type: 'skill',
    version: '1.0.0',
    layer: 'base',
    content_hash: HASH,
    deprecated: false,
    manifest_body: '',
    skill_body: '---\nname: check\ndescription: Checks.\nallowed-tools: Bash\n---\nCheck.\n',
    resources: {},
    large_resources: {},
    ...given,
  };
}

test('recordCapabilities lists the capabilities a record declares, and large files by path and hash', () => {
  const listed = recordCapabilities(
    record({
      resources: { 'notes.md': 'Read.', run: 'echo' },
      executable: ['run'],
      large_resources: {
        'scripts/large.sh': { presigned_url: 'https://x', content_hash: HASH, size: 9 },
      },
    }),
  );
  expect(listed).toMatchObject([
    { kind: 'allowed_tool', tool: 'Bash' },
    { kind: 'script', file: 'run', executable: true },
    { kind: 'script', file: 'scripts/large.sh', hash: HASH },
  ]);
});

test('recordCapabilities decodes base64 resources', () => {
  const resources = { x: Buffer.from('#!/bin/sh\n').toString('base64') };
  expect(recordCapabilities(record({ resources, resources_base64: true }))).toMatchObject([
    { kind: 'allowed_tool' },
    { kind: 'script', file: 'x' },
  ]);
});

test('recordCapabilities returns undefined if a manifest is not part of the record', () => {
  expect(recordCapabilities(record({ skill_body_url: 'https://x' }))).toBeUndefined();
});
