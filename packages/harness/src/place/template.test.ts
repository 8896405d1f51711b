import { expect, test } from 'vitest';
import { fillTemplate } from './template.ts';

test('names stand in a path as they are, whatever signs they hold', () => {
  const names = { name: "{id} $& $$ $'", id: '{name}/$1' };
  expect(fillTemplate('a/{name}/{id}/{name}.md', names)).toBe(
    "a/{id} $& $$ $'/{name}/$1/{id} $& $$ $'.md",
  );
});
