import { artifactOf } from '@catalog/testkit/authored-package';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectiveView } from './effective-view.ts';

function artifact(layer: string, id: string): ReturnType<typeof artifactOf> {
  return artifactOf(id, { 'ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\n---\n' }, layer);
}

describe('effectiveView', () => {
  test('returns the artifact of the highest layer for each id, in byte order', () => {
    const all = [
      artifact('top', 'b'),
      artifact('base', 'a'),
      artifact('base', 'b'),
      artifact('top', 'Z'),
    ];
    expect(effectiveView(all, ['base', 'top']).map(({ id, layer }) => [id, layer])).toEqual([
      ['Z', 'top'],
      ['a', 'base'],
      ['b', 'top'],
    ]);
    expect(effectiveView(all, ['top', 'base']).map(({ layer }) => layer)).toEqual([
      'top',
      'base',
      'base',
    ]);
  });

  test('excludes layers outside of the view', () => {
    expect(effectiveView([artifact('secret', 'a'), artifact('base', 'a')], ['base'])).toHaveLength(
      1,
    );
    expect(effectiveView([artifact('secret', 'a')], [])).toEqual([]);
  });

  test('does not depend on the order of the artifacts', () => {
    const all = ['base', 'mid', 'top'].flatMap((layer) =>
      ['a', 'b', 'c/d', 'é'].map((id) => artifact(layer, id)),
    );
    fc.assert(
      fc.property(fc.shuffledSubarray(all), (some) => {
        const view = effectiveView(some, ['base', 'mid', 'top']);
        expect(view).toEqual(effectiveView(some.toReversed(), ['base', 'mid', 'top']));
        expect(new Set(view.map(({ id }) => id))).toEqual(new Set(some.map(({ id }) => id)));
      }),
    );
  });
});
