import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { expect, test } from 'vitest';
import { bytesHash } from './content-hash.ts';
import { fetchableHashes } from './fetchable-hashes.ts';

const file = { path: 'a.bin', content_hash: 'sha256:1', size: 1, executable: false };

test('fetchableHashes lists each file hash once', () => {
  const files = [file, { ...file, path: 'b.bin' }, { ...file, content_hash: 'sha256:2' }];
  const hashes = fetchableHashes({ files, manifest: 'small', skill: null });
  expect([...hashes]).toEqual(['sha256:1', 'sha256:2']);
});

test.each(['x', 'é', '€', '🚀'])(
  'fetchableHashes includes a body whose UTF-8 size exceeds the cutoff: %s',
  (sign) => {
    const signs = INLINE_CUTOFF_BYTES / Buffer.byteLength(sign);
    const whole = sign.repeat(Math.floor(signs));
    const fits = whole + '.'.repeat(INLINE_CUTOFF_BYTES - Buffer.byteLength(whole));
    const over = `${fits}.`;
    expect(fetchableHashes({ files: [], manifest: fits, skill: fits }).size).toBe(0);
    const hashes = fetchableHashes({ files: [], manifest: over, skill: `${over}.` });
    expect([...hashes]).toEqual([bytesHash(over), bytesHash(`${over}.`)]);
  },
);
