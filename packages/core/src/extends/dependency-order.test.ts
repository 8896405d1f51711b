import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { visitInDependencyOrder } from './dependency-order.ts';

function visits(graph: Readonly<Record<string, readonly string[]>>): [string, string[]][] {
  const seen: [string, string[]][] = [];
  visitInDependencyOrder(
    Object.keys(graph),
    (node) => graph[node] ?? [],
    (node, path) => seen.push([node, [...path]]),
  );
  return seen;
}

describe('visitInDependencyOrder', () => {
  test('visits a node after its dependencies, in any input order', () => {
    const order = visits({ a: ['b', 'c'], b: ['c'], c: [], d: [] }).map(([node]) => node);
    expect(order).toEqual(['c', 'b', 'a', 'd']);
  });

  test('passes the path to the visited node, so that the visitor can detect a cycle', () => {
    expect(visits({ x: ['a'], a: ['b'], b: ['c'], c: ['a'] })).toEqual([
      ['c', ['x', 'a', 'b', 'c']],
      ['b', ['x', 'a', 'b']],
      ['a', ['x', 'a']],
      ['x', ['x']],
    ]);
    expect(visits({ a: ['a'] })).toEqual([['a', ['a']]]);
  });

  test('follows a chain of 200,000 nodes', () => {
    const count = 200_000;
    const order: number[] = [];
    visitInDependencyOrder(
      Array.from({ length: count }, (_, index) => index),
      (node) => (node + 1 < count ? [node + 1] : []),
      (node) => order.push(node),
    );
    expect(order).toHaveLength(count);
    expect(order.every((node, index) => node === count - 1 - index)).toBe(true);
  });

  test('visits every node once; a dependency comes later only if it is part of a cycle', () => {
    const edges = fc.array(fc.array(fc.nat(7), { maxLength: 3 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(edges, (graph) => {
        const done = new Set<number>();
        visitInDependencyOrder(
          graph.keys(),
          (node) => graph[node] ?? [],
          (node, path) => {
            expect(done.has(node)).toBe(false);
            for (const dependency of graph[node] ?? []) {
              expect(done.has(dependency) || path.includes(dependency)).toBe(true);
            }
            done.add(node);
          },
        );
        expect(done.size).toBe(8);
      }),
    );
  });
});
