import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Caller } from '../identity/caller.ts';
import { coversVisibility } from './covers-visibility.ts';
import { isLayerVisible, type LayerVisibility } from './visibility.ts';

const names = fc.option(fc.subarray(['a', 'b', 'c@x.example']), { nil: null });
const visibility: fc.Arbitrary<LayerVisibility> = fc.record({
  public: fc.boolean(),
  organization: fc.boolean(),
  groups: names,
  users: names,
});
const NAMES = ['a', 'b', 'c@x.example'];
const CALLERS: readonly Caller[] = [
  { kind: 'anonymous' },
  { kind: 'subject', subject: 'other', groups: [] },
  ...NAMES.map((subject): Caller => ({ kind: 'subject', subject, groups: [] })),
  ...NAMES.map((group): Caller => ({ kind: 'subject', subject: 'other', groups: [group] })),
];

test('coversVisibility returns true if every caller who sees the narrower layer sees the wider one', () => {
  fc.assert(
    fc.property(visibility, visibility, (wider, narrower) => {
      const isSeen = (layer: LayerVisibility, caller: Caller): boolean =>
        isLayerVisible(layer, caller).visible;
      const seesOneAlone = CALLERS.some(
        (caller) => isSeen(narrower, caller) && !isSeen(wider, caller),
      );
      expect(coversVisibility(wider, narrower)).toBe(!seesOneAlone);
    }),
    { numRuns: 500 },
  );
});
