import { expect, test } from 'vitest';
import { argumentsOf, fillIn } from './prompts.ts';

test.each([
  ['Ship $ARGUMENTS.', 'api to prod', 'Ship api to prod.'],
  ['Ship $1 to $2, not $3.', 'api  prod', 'Ship api to prod, not .'],
  ['Costs $10 and $ARGUMENTSX.', 'api', 'Costs $10 and $ARGUMENTSX.'],
  ['Pay $5.99 or $1,000 for $1.', 'api', 'Pay $5.99 or $1,000 for api.'],
  ['$1', '$ARGUMENTS and more', '$ARGUMENTS'],
  ['$1 is $&', "a$'b", "a$'b is $&"],
])('fills %s with %s as %s', (text, given, filled) => {
  expect(fillIn(text, { arguments: given })).toBe(filled);
});

test('lists each placeholder once as an argument', () => {
  expect(argumentsOf('Ship $2 to $1 with $ARGUMENTS, $2 for $5.99.')).toEqual([
    { name: 'arguments', description: 'Replaces $ARGUMENTS.', required: false },
    { name: 'arg1', description: 'Replaces $1.', required: false },
    { name: 'arg2', description: 'Replaces $2.', required: false },
  ]);
  expect(argumentsOf('Ship it.')).toEqual([]);
});

test.each([
  [{ arg1: 'api', arg2: 'my prod' }, 'api to my prod: api my prod'],
  [{ arg2: 'prod' }, ' to prod: prod'],
  [{ arguments: 'web stage', arg2: 'prod' }, 'web to prod: web stage'],
  [{}, ' to : '],
])('explicit arguments take precedence: %j', (given, filled) => {
  expect(fillIn('$1 to $2: $ARGUMENTS', given)).toBe(filled);
});
