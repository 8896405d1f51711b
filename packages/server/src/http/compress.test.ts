import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressOnce } from './compress.ts';

test('compressOnce does not retain the larger buffer of zlib', async () => {
  const bytes = Buffer.from('a line of an artifact\n'.repeat(100));
  const kept = await compressOnce(bytes, 'gzip');
  expect(gunzipSync(kept).equals(bytes)).toBe(true);
  expect(kept.buffer.byteLength).toBe(kept.length);
  expect(await compressOnce(bytes, 'gzip')).toBe(kept);
});
