import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { expect, test } from 'vitest';
import { listFiles, toText } from './record-files.ts';

const RECORD: ArtifactRecord = {
  id: 'ops/check',
  type: 'skill',
  version: '1.0.0',
  content_hash: 'sha256:0',
  layer: 'base',
  deprecated: false,
  manifest_body: 'Body.\n',
  resources: { 'run.sh': 'dHJ1ZQ==' },
  large_resources: {},
};

test.each([
  [{ resources_base64: true }, 'true'],
  [{}, 'dHJ1ZQ=='],
])('listFiles decodes the files of a record with %j', (more, expected) => {
  const [, file] = listFiles({ ...RECORD, ...more });
  expect(new TextDecoder().decode(file?.bytes)).toBe(expected);
});

test.each([
  ['text', [0x61, 0xc3, 0xa9], 'aé'],
  ['no bytes', [], ''],
  ['bytes that are not UTF-8', [0x61, 0xff], undefined],
  ['a NUL', [0x61, 0x00], undefined],
])('toText accepts only UTF-8 without NUL: %s', (_, bytes, expected) => {
  expect(toText(new Uint8Array(bytes))).toBe(expected);
});
