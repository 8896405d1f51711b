import { expect, test } from 'vitest';
import { fillIn } from './prompts.ts';

test.each([
  ['Ship $ARGUMENTS.', 'api to prod', 'Ship api to prod.'],
  ['Ship $1 to $2, not $3.', 'api  prod', 'Ship api to prod, not .'],
  ['Costs $10 and $ARGUMENTSX.', 'api', 'Costs $10 and $ARGUMENTSX.'],
  ['$1', '$ARGUMENTS and more', '$ARGUMENTS'],
  ['$1 is $&', "a$'b", "a$'b is $&"],
])('%s with %s is %s', (text, given, filled) => {
  expect(fillIn(text, given)).toBe(filled);
});
