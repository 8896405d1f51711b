import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressOnce } from './compress.ts';

test('a kept copy does not hold the larger buffer that zlib wrote it to', async () => {
  const bytes = Buffer.from('a line of an artifact\n'.repeat(100));
  const kept = await compressOnce(bytes, 'gzip');
  expect(gunzipSync(kept).equals(bytes)).toBe(true);
  expect(kept.buffer.byteLength).toBe(kept.length);
  expect(await compressOnce(bytes, 'gzip')).toBe(kept);
});
