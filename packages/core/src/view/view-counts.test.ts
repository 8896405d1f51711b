import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SENSITIVITIES } from '../artifact/types.ts';
import {
  composeCounts,
  countChanges,
  readHolders,
  writeHolders,
  type CountedHeads,
  type Holder,
} from './view-counts.ts';

const LAYERS = [1, 2, 3];

const holders = fc.uniqueArray(
  fc.record({
    layer: fc.constantFrom(...LAYERS),
    type: fc.constantFrom('skill', 'agent'),
    sensitivity: fc.constantFrom(...SENSITIVITIES),
  }),
  { selector: ({ layer }) => layer },
);

function winnersOf(ids: readonly (readonly Holder[])[], layers: readonly number[]): Holder[] {
  const rankOf = ({ layer }: Holder): number => layers.indexOf(layer);
  return ids.flatMap((held) => {
    const visible = held.filter((holder) => rankOf(holder) !== -1);
    return visible.toSorted((a, b) => rankOf(b) - rankOf(a)).slice(0, 1);
  });
}

test('composeCounts of accumulated changes equals a count of the winners for every view', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(holders, holders), { maxLength: 8 }),
      fc.shuffledSubarray(LAYERS),
      (ids, layers) => {
        const changes = countChanges();
        for (const [first, then] of ids) {
          changes.note([], first);
          changes.note(first, then);
        }
        const heads: CountedHeads[] = changes
          .heads()
          .filter(({ layer }) => layers.includes(layer))
          .map(({ by, ...alike }) => ({ ...alike, heads: by }));
        const overlaps = changes.overlaps().map(({ holders: held, by }) => ({
          holders: readHolders(writeHolders(held)),
          ids: by,
        }));
        const winners = winnersOf(
          ids.map(([, then]) => then),
          layers,
        );
        const counts = composeCounts(layers, heads, overlaps);
        const countOf = (is: (holder: Holder) => boolean): number => winners.filter(is).length;
        expect(counts.artifact_count).toBe(winners.length);
        expect(counts.by_sensitivity).toEqual({
          low: countOf(({ sensitivity }) => sensitivity === 'low'),
          medium: countOf(({ sensitivity }) => sensitivity === 'medium'),
          high: countOf(({ sensitivity }) => sensitivity === 'high'),
        });
        const types = [...new Set(winners.map(({ type }) => type))];
        expect(counts.by_type).toEqual(
          Object.fromEntries(types.map((type) => [type, countOf((one) => one.type === type)])),
        );
      },
    ),
  );
});

test('countChanges omits changes that cancel each other out', () => {
  fc.assert(
    fc.property(holders, (held) => {
      const changes = countChanges();
      changes.note([], held);
      changes.note(held.toReversed(), []);
      expect([...changes.heads(), ...changes.overlaps()]).toEqual([]);
    }),
  );
});
