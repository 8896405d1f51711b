import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasDuplicateMembers } from './duplicate-members.ts';

test('hasDuplicateMembers returns false for serialized JSON values', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      expect(hasDuplicateMembers(JSON.stringify(value, null, indent))).toBe(false);
    }),
  );
});

test('hasDuplicateMembers detects a repeated member at any depth and in any escaping', () => {
  const spelled = (name: string): string =>
    `"${name.replaceAll(/./gs, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme-ascii' }),
      fc.jsonValue(),
      fc.nat(5),
      fc.boolean(),
      (name, value, depth, escaped) => {
        const again = escaped ? spelled(name) : JSON.stringify(name);
        const twice = `{${JSON.stringify(name)}: ${JSON.stringify(value)}, ${again} :1}`;
        expect(hasDuplicateMembers('[{"a":'.repeat(depth) + twice + '}]'.repeat(depth))).toBe(true);
      },
    ),
  );
});
