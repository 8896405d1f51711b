import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adapters } from '../registry.ts';
import type { ListingBudget, ListingLimit } from './listing-budget.ts';
import { LISTED_DESCRIPTIONS, measureListing, type ListedEntry } from './measure-listing.ts';

const SOURCE = { source: 'a test', version: '1' };

function listing(limit: number, more: Partial<ListingLimit> = {}): ListingBudget {
  return {
    types: ['skill'],
    listing: {
      ...SOURCE,
      unit: 'characters',
      limit,
      around: ({ name }) => `- ${name}: \n`,
      beyond: 'dropped',
      ...more,
    },
  };
}

function entry(name: string, characters: number, letter = 'x'): ListedEntry {
  const description = letter.repeat(characters);
  return { artifact_id: `ops/${name}`, name, path: `/w/${name}/SKILL.md`, description };
}

describe('measureListing', () => {
  test('counts zero for an empty list', () => {
    expect(measureListing(listing(100), [])).toMatchObject({
      entries: 0,
      listing: { used: 0, limit: 100, lost: 0 },
      shorten: [],
    });
  });

  test('counts descriptions and the text around them', () => {
    const use = measureListing(listing(100), [entry('a', 20), entry('bb', 30)]);
    expect(use).toMatchObject({ entries: 2, listing: { used: 20 + 6 + 30 + 7, lost: 0 } });
    expect(use.shorten).toEqual([]);
  });

  test('accepts an exact fit and rejects one character more', () => {
    const room = 10 + 6 + 10 + 6;
    const two = [entry('a', 10), entry('b', 10)];
    expect(measureListing(listing(room), two).listing?.lost).toBe(0);
    expect(measureListing(listing(room - 1), two).listing?.lost).toBe(1);
  });

  test('counts dropped descriptions in order, keeping each one that still fits', () => {
    const entries = [entry('a', 50), entry('b', 60), entry('c', 10)];
    const use = measureListing(listing(3 * 6 + 60), entries);
    expect(use.listing).toMatchObject({ lost: 1, beyond: 'dropped' });
  });

  test('subtracts built-in entries from the limit', () => {
    const entries = [entry('a', 50), entry('b', 60), entry('c', 10)];
    const use = measureListing(listing(100 + 3 * 6 + 60, { built_in: 100 }), entries);
    expect(use.listing).toMatchObject({ limit: 3 * 6 + 60, lost: 1 });
    const full = measureListing(listing(100, { built_in: 120 }), entries);
    expect(full.listing).toMatchObject({ limit: 0, lost: 3, fitting: 0 });
  });

  test('counts only the name of an entry with a dropped description', () => {
    const entries = [entry('a', 50), entry('b', 60), entry('c', 10)];
    const name_only = ({ name }: { name: string }): string => `- ${name}\n`;
    const room = 3 * 4 + (2 + 50) + (2 + 10);
    expect(measureListing(listing(room, { name_only }), entries).listing?.lost).toBe(1);
    expect(measureListing(listing(room - 1, { name_only }), entries).listing?.lost).toBe(2);
  });

  test('counts all entries after the first one that does not fit if the product omits entries', () => {
    const entries = [entry('a', 50), entry('b', 60), entry('c', 10)];
    const use = measureListing(listing(3 * 6 + 60, { beyond: 'omitted' }), entries);
    expect(use.listing).toMatchObject({ lost: 2, beyond: 'omitted' });
  });

  test('keeps 4 of 80 descriptions in Claude Code', () => {
    const budget = adapters.get('claude-code')?.budget;
    if (budget === undefined) throw new Error('claude-code has a budget');
    const entries = Array.from({ length: 80 }, (_, index) => entry(`skill-number-${index}`, 100));
    expect(80 - (measureListing(budget, entries).listing?.lost ?? 0)).toBe(4);
  });

  test('lists descriptions to shorten, longest first, with the fitting length', () => {
    const entries = [entry('a', 10), entry('b', 100), entry('c', 80)];
    const use = measureListing(listing(3 * 6 + 110), entries);
    expect(use.listing?.fitting).toBe(50);
    expect(use.shorten).toEqual([
      { artifact_id: 'ops/b', characters: 100, over: 50 },
      { artifact_id: 'ops/c', characters: 80, over: 30 },
    ]);
    const shortened = [entry('a', 10), entry('b', 50), entry('c', 50)];
    expect(measureListing(listing(3 * 6 + 110), shortened)).toMatchObject({
      to_shorten: 0,
      listing: { lost: 0, used: 128 },
    });
  });

  test('counts tokens as four bytes', () => {
    const budget = listing(25, { unit: 'tokens', around: () => '', beyond: 'shortened' });
    expect(measureListing(budget, [entry('a', 100)]).listing).toMatchObject({ used: 25, lost: 0 });
    expect(measureListing(budget, [entry('a', 50, 'é')]).listing?.used).toBe(25);
    expect(measureListing(budget, [entry('a', 101)]).listing).toMatchObject({ used: 26, lost: 1 });
  });

  test('cuts at whole characters of several bytes', () => {
    const budget = listing(25, { unit: 'tokens', around: () => '', beyond: 'shortened' });
    expect(measureListing(budget, [entry('a', 60, 'é')])).toMatchObject({
      listing: { used: 30, lost: 1, fitting: 100 },
      shorten: [{ artifact_id: 'ops/a', characters: 60, over: 10 }],
    });
    const each = { ...budget, description: { ...SOURCE, limit: 40, beyond: 'cut' } } as const;
    expect(measureListing(each, [entry('a', 60, 'é')])).toMatchObject({
      listing: { used: 20, lost: 0 },
      shorten: [{ artifact_id: 'ops/a', characters: 60, over: 20 }],
    });
  });

  test('loses all descriptions if the names alone exceed the limit', () => {
    const use = measureListing(listing(5), [entry('a', 10), entry('b', 10)]);
    expect(use.listing).toMatchObject({ lost: 2, fitting: 0 });
  });

  test('lists a description over its own limit although the list fits', () => {
    const budget: ListingBudget = {
      ...listing(1000),
      description: { ...SOURCE, limit: 20, beyond: 'cut' },
    };
    const use = measureListing(budget, [entry('a', 25), entry('b', 20)]);
    expect(use.listing).toMatchObject({ used: 20 + 6 + 20 + 6, lost: 0 });
    expect(use.shorten).toEqual([{ artifact_id: 'ops/a', characters: 25, over: 5 }]);
  });

  test('fits with all descriptions at the fitting length, and not with one more character', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom('characters' as const, 'tokens' as const),
        (lengths, limit, unit) => {
          const budget = listing(limit, { unit, around: () => '', beyond: 'shortened' });
          const cutTo = (maxEntryLength: number): ListedEntry[] =>
            lengths.map((length, index) => entry(`s${index}`, Math.min(length, maxEntryLength)));
          const use = measureListing(budget, cutTo(60)).listing;
          if (use === undefined || use.lost === 0) return;
          expect(measureListing(budget, cutTo(use.fitting)).listing?.lost).toBe(0);
          expect(measureListing(budget, cutTo(use.fitting + 1)).listing?.lost).toBeGreaterThan(0);
        },
      ),
    );
  });

  test('limits the listed descriptions and counts the rest', () => {
    const entries = Array.from({ length: 80 }, (_, index) => entry(`s${index}`, 100));
    const use = measureListing(listing(1000), entries);
    expect([use.shorten.length, use.to_shorten]).toEqual([LISTED_DESCRIPTIONS, 80]);
  });
});

test('every number has a source and a version', () => {
  const limits = [...adapters.values()].flatMap(({ budget }) => [
    ...(budget?.listing === undefined ? [] : [budget.listing]),
    ...(budget?.description === undefined ? [] : [budget.description]),
  ]);
  expect(limits.length).toBeGreaterThan(4);
  for (const { source, version, limit } of limits) {
    expect(source).not.toBe('');
    expect(version).toMatch(/\d/);
    expect(limit).toBeGreaterThan(0);
  }
});
