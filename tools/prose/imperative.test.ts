import { expect, test } from 'vitest';
import { canBeImperative } from './imperative.ts';

test.each(['add', 'fix', 'pass', 'process', 'focus', 'embed', 're-read', 'seed', 'Bring', 'run'])(
  'accepts "%s" as an imperative verb',
  (word) => {
    expect(canBeImperative(word)).toBe(true);
  },
);

test.each(['adds', 'added', 'adding', 'The', 'What', 'fixes', 'applied', 'built', 'is', 'now'])(
  'rejects "%s" as an imperative verb',
  (word) => {
    expect(canBeImperative(word)).toBe(false);
  },
);
