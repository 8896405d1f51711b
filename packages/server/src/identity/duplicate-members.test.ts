import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasDuplicateMembers } from './duplicate-members.ts';

test('no value that was written once has any', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      expect(hasDuplicateMembers(JSON.stringify(value, null, indent))).toBe(false);
    }),
  );
});

test('a member that is said again is found, at any depth and in any spelling', () => {
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
