import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { leafHash } from './merkle-tree.ts';
import {
  formatVerifierKey,
  openCheckpoint,
  parseVerifierKey,
  signCheckpoint,
  toSigningKey,
} from './signed-note.ts';

const newKey = () => toSigningKey(generateKeyPairSync('ed25519').privateKey);
const CHECKPOINT = { origin: 'catalog-audit/1/00ff', size: 12, root: leafHash('root') };

describe('signed checkpoints', () => {
  test('have the format of C2SP notes', () => {
    const note = signCheckpoint(CHECKPOINT, newKey());
    const [origin, size, root, blank, signature, end] = note.split('\n');
    expect([origin, size, root, blank, end]).toEqual([
      CHECKPOINT.origin,
      '12',
      CHECKPOINT.root,
      '',
      '',
    ]);
    const [, name, encoded = ''] = /^— (\S+) (\S+)$/.exec(signature ?? '') ?? [];
    expect(name).toBe(CHECKPOINT.origin);
    expect(Buffer.from(encoded, 'base64')).toHaveLength(4 + 64);
  });

  test('are opened with the public key, in both formats of a key file', () => {
    const key = newKey();
    const note = signCheckpoint(CHECKPOINT, key);
    const pem = key.public_key.export({ type: 'spki', format: 'pem' });
    for (const text of [formatVerifierKey('any name', key), String(pem)]) {
      const parsed = parseVerifierKey(`${text}\n`);
      expect(parsed && openCheckpoint(note, parsed)).toEqual(CHECKPOINT);
    }
    expect(parseVerifierKey('not a key')).toBeUndefined();
  });

  test('are rejected after any change of a byte, and with another key', () => {
    const key = newKey();
    const note = signCheckpoint(CHECKPOINT, key);
    expect(openCheckpoint(note, newKey().public_key)).toBeUndefined();
    for (let at = 0; at < note.length; at += 1) {
      const other = note[at] === '1' ? '2' : '1';
      const changed = note.slice(0, at) + other + note.slice(at + 1);
      // The last character of the signature has unused bits.
      const opened = openCheckpoint(changed, key.public_key);
      if (at < note.length - 4) expect(opened, `byte ${at}`).toBeUndefined();
    }
  });
});
