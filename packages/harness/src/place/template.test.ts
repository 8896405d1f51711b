import { expect, test } from 'vitest';
import { fillTemplate } from './template.ts';

test('inserts names with special characters unchanged', () => {
  const names = { name: "{id} $& $$ $'", id: '{name}/$1' };
  expect(fillTemplate('a/{name}/{id}/{name}.md', names)).toBe(
    "a/{id} $& $$ $'/{name}/$1/{id} $& $$ $'.md",
  );
});
