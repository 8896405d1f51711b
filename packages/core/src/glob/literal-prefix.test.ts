import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlobs } from './glob.ts';
import { literalPrefix } from './literal-prefix.ts';

test.each([
  ['ops/check', 'ops/check'],
  ['ops/**', 'ops'],
  ['ops/*/check', 'ops'],
  ['ops/pre-*', 'ops'],
  ['ops/{a,b/c}/d', 'ops'],
  ['o{ps/a,x}/d', ''],
  ['**', ''],
  ['*/check', ''],
])('literalPrefix of %s is %j', (pattern, prefix) => {
  expect(literalPrefix(pattern)).toBe(prefix);
});

test('literalPrefix is a prefix of every match', () => {
  const segment = fc.constantFrom('a', 'b', '*', '**', 'a*', '?', '[ab]', '{a,b}', '{a,b/a}');
  const pattern = fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => all.join('/'));
  const id = fc.array(fc.constantFrom('a', 'b', 'aa'), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(pattern, id, (glob, segments) => {
      const path = segments.join('/');
      const prefix = literalPrefix(glob);
      const within = prefix === '' || path === prefix || path.startsWith(`${prefix}/`);
      expect(within || !compileGlobs([glob], 'domain')(path)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
