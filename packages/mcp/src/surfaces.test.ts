import { expect, test } from 'vitest';
import { readSurfaces } from './surfaces.ts';

test('no surface is there unless it is named', () => {
  expect(readSurfaces(undefined)).toEqual(new Set());
  expect(readSurfaces('')).toEqual(new Set());
  expect(readSurfaces('skills, prompts')).toEqual(new Set(['skills', 'prompts']));
});

test('a name nobody knows is refused with those there are', () => {
  expect(() => readSurfaces('resources,tools')).toThrow(
    /contains tools, but supports only resources, prompts/,
  );
});
