import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { contentDisposition } from './s3-address.ts';

test('contentDisposition returns a valid header with the last segment of any path', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 80 }), (path) => {
      const header = contentDisposition(path);
      const parts =
        /^attachment; filename="([A-Za-z0-9._-]+)"; filename\*=UTF-8''([\w.!~%-]+)$/.exec(header);
      const name = path.slice(path.lastIndexOf('/') + 1).toWellFormed();
      expect(decodeURIComponent(parts?.[2] ?? '')).toBe(name === '' ? 'object' : name);
    }),
  );
});

test.each([
  ['assets/logo.bin', `attachment; filename="logo.bin"; filename*=UTF-8''logo.bin`],
  [
    'Größe "x".txt',
    `attachment; filename="Gr__e__x_.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%22x%22.txt`,
  ],
])('contentDisposition encodes the file name of %s', (path, header) => {
  expect(contentDisposition(path)).toBe(header);
});
