import { createHash as createNodeHash, hash as nodeHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Buffer as BrowserBuffer } from './buffer.ts';
import { createHash, hash } from './crypto.ts';

test('hash and createHash return the same SHA-256 as node:crypto', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 4 }), (pieces) => {
      const whole = Buffer.concat(pieces);
      expect(hash('sha256', whole, 'hex')).toBe(nodeHash('sha256', whole, 'hex'));
      const [own, node] = [createHash('sha256'), createNodeHash('sha256')];
      for (const piece of pieces) {
        own.update(piece);
        node.update(piece);
      }
      expect(own.digest('hex')).toBe(node.digest('hex'));
    }),
  );
  expect(hash('sha256', 'é'.repeat(99), 'hex')).toBe(nodeHash('sha256', 'é'.repeat(99), 'hex'));
});

test('BrowserBuffer encodes strings like the Buffer of Node', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(BrowserBuffer.byteLength(text)).toBe(Buffer.byteLength(text));
      expect([...BrowserBuffer.from(text)]).toEqual([...Buffer.from(text)]);
      const target = BrowserBuffer.alloc(Buffer.byteLength(text) + 2);
      expect(target.write(text, 1, 'utf8')).toBe(Buffer.byteLength(text));
      expect([...target.subarray(1, -1)]).toEqual([...Buffer.from(text)]);
    }),
  );
});
