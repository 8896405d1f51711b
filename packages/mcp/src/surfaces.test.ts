import { expect, test } from 'vitest';
import { readSurfaces } from './surfaces.ts';

test('readSurfaces enables only named surfaces', () => {
  expect(readSurfaces(undefined)).toEqual(new Set());
  expect(readSurfaces('')).toEqual(new Set());
  expect(readSurfaces('skills, prompts')).toEqual(new Set(['skills', 'prompts']));
});

test('readSurfaces rejects an unknown name and lists the supported ones', () => {
  expect(() => readSurfaces('resources,tools')).toThrow(
    /contains tools, but supports only resources, prompts/,
  );
});
