import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  appendLeaves,
  EMPTY_TREE,
  leafHash,
  proveInclusion,
  rootOfProof,
  treeRoot,
} from './merkle-tree.ts';

/** The definition of RFC 6962, section 2.1, over base64 leaf hashes. */
function rootByDefinition(leaves: readonly string[]): Buffer {
  const sha = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  if (leaves.length === 0) return sha();
  if (leaves.length === 1) return Buffer.from(leaves[0] ?? '', 'base64');
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return sha(
    Buffer.of(1),
    rootByDefinition(leaves.slice(0, half)),
    rootByDefinition(leaves.slice(half)),
  );
}

const manyLeaves = fc
  .array(fc.string(), { maxLength: 70 })
  .map((texts) => texts.map((text) => leafHash(text)));

describe('Merkle tree', () => {
  test('hashes leaves like RFC 6962', () => {
    const empty = '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d';
    expect(Buffer.from(leafHash(''), 'base64').toString('hex')).toBe(empty);
  });

  test('has the root of the definition, for any split into appends', () => {
    fc.assert(
      fc.property(manyLeaves, fc.nat(70), (leaves, cut) => {
        const first = appendLeaves(EMPTY_TREE, leaves.slice(0, cut));
        const whole = appendLeaves(first, leaves.slice(cut));
        expect(whole.size).toBe(leaves.length);
        expect(treeRoot(whole)).toBe(rootByDefinition(leaves).toString('base64'));
      }),
    );
  });

  test('proves each leaf, and no other leaf or place', () => {
    fc.assert(
      fc.property(manyLeaves, fc.nat(), fc.nat(), (leaves, at, other) => {
        fc.pre(leaves.length > 0);
        const index = at % leaves.length;
        const leaf = leaves[index] ?? '';
        const size = leaves.length;
        const path = proveInclusion(leaves, index);
        const root = rootByDefinition(leaves).toString('base64');
        expect(rootOfProof({ index, size, leaf, path })).toBe(root);
        expect(rootOfProof({ index, size, leaf: leafHash('other leaf'), path })).not.toBe(root);
        const place = other % size;
        if (leaves[place] !== leaf) {
          expect(rootOfProof({ index: place, size, leaf, path })).not.toBe(root);
        }
        expect(rootOfProof({ index, size, leaf, path: [...path, leaf] })).toBeUndefined();
        expect(rootOfProof({ index: size, size, leaf, path })).toBeUndefined();
      }),
    );
  });
});
