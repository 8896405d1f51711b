import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeLayers, type ComposableLayer } from './compose-layers.ts';
import { decideReorder, tailOrder } from './decide-reorder.ts';

function layer(id: string, order: number, user_defined = false): ComposableLayer {
  return { id, order, user_defined, public: true, organization: false, groups: null, users: null };
}

const THREE = [layer('a', 10), layer('b', 20), layer('c', 30)];
const anyone = (): boolean => true;

function sequence(layers: readonly ComposableLayer[], order: readonly string[]): string[] {
  const decision = decideReorder(layers, order, anyone);
  const stored = new Map(layers.map((each) => [each.id, each]));
  if (decision.kind === 'changed') for (const each of decision.layers) stored.set(each.id, each);
  return composeLayers([...stored.values()], { kind: 'open' }).map(({ id }) => id);
}

describe('decideReorder', () => {
  test('orders all layers as named', () => {
    const decision = decideReorder(THREE, ['c', 'a', 'b'], anyone);
    expect(decision).toEqual({
      kind: 'changed',
      layers: [layer('c', 10), layer('a', 20), layer('b', 30)],
      moved: [layer('c', 10), layer('a', 20), layer('b', 30)],
    });
  });

  test('keeps the places of layers that are not named', () => {
    const decision = decideReorder(THREE, ['c', 'a'], anyone);
    expect(decision).toMatchObject({ moved: [{ id: 'c' }, { id: 'a' }] });
    expect(sequence(THREE, ['c', 'a'])).toEqual(['c', 'b', 'a']);
  });

  test('returns unchanged for the current sequence, regardless of its numbers', () => {
    const sparse = [layer('a', 5), layer('b', 70), layer('c', 71)];
    expect(decideReorder(sparse, ['a', 'b', 'c'], anyone)).toEqual({ kind: 'unchanged' });
    expect(decideReorder(sparse, ['a', 'c'], anyone)).toEqual({ kind: 'unchanged' });
    expect(decideReorder(sparse, [], anyone)).toEqual({ kind: 'unchanged' });
  });

  test('orders layers with equal numbers', () => {
    expect(sequence([layer('a', 10), layer('b', 10)], ['b', 'a'])).toEqual(['b', 'a']);
  });

  test('keeps personal layers above all others', () => {
    const layers = [layer('a', 10), layer('b', 20), layer('mine', 5, true)];
    expect(decideReorder(layers, ['mine', 'a', 'b'], anyone)).toEqual({ kind: 'unchanged' });
  });

  test.each([
    [['a', 'x'], ['x']],
    [['a', 'a'], ['a']],
    [
      ['locked', 'x', 'x'],
      ['locked', 'x'],
    ],
  ])('rejects %j and reports the fields %j', (order, fields) => {
    const layers = [...THREE, layer('locked', 40)];
    expect(() => decideReorder(layers, order, ({ id }) => id !== 'locked')).toThrow(
      expect.objectContaining({
        code: 'registry.invalid_argument',
        details: { argument: 'order', fields },
      }),
    );
  });

  test('puts any subset of layers into the given order and keeps the places of the others', () => {
    const stack = fc
      .uniqueArray(fc.record({ id: fc.string({ minLength: 1 }), order: fc.nat(60) }), {
        selector: ({ id }) => id,
        maxLength: 12,
      })
      .map((rows) => rows.map(({ id, order }) => layer(id, order)));
    const cases = stack.chain((layers) =>
      fc.tuple(fc.constant(layers), fc.shuffledSubarray(layers.map(({ id }) => id))),
    );
    fc.assert(
      fc.property(cases, ([layers, order]) => {
        const before = composeLayers(layers, { kind: 'open' }).map(({ id }) => id);
        const after = sequence(layers, order);
        expect(after.filter((id) => order.includes(id))).toEqual(order);
        expect(after.map((id) => (order.includes(id) ? '' : id))).toEqual(
          before.map((id) => (order.includes(id) ? '' : id)),
        );
      }),
    );
  });
});

describe('tailOrder', () => {
  test('returns 10 for the first layer and the highest order plus 10 for others', () => {
    expect(tailOrder([])).toBe(10);
    expect(tailOrder([layer('a', 35), layer('b', 20)])).toBe(45);
  });
});
