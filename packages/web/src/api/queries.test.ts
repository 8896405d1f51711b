import type { SearchResponse } from '@catalog/contract/records/discovery';
import { expect, onTestFinished, test, vi } from 'vitest';
import { call } from './call.ts';
import { LAYER_KEYS } from './changes.ts';
import { UnreachableError } from './errors.ts';
import * as queries from './queries.ts';

const SEARCH = { query: 'x', type: '', tags: '', scope: '', layer: '', harness: '' };

function nextOffset(offset: number, results: number, total_matched: number): number | undefined {
  const result = { id: 'a', type: 'rule', version: '1.0.0', score: 1, description: '', tags: [] };
  const response: SearchResponse = {
    query: 'x',
    total_matched,
    results: Array.from({ length: results }, () => result),
  };
  const page = { ...response, took_ms: 1 };
  const next = queries.searchQuery(SEARCH).getNextPageParam(page, [page], offset, [offset]);
  return next ?? undefined;
}

test('searchQuery has a next page only if further results can be shown', () => {
  expect(nextOffset(0, 25, 26)).toBe(25);
  expect(nextOffset(0, 25, 25)).toBeUndefined();
  expect(nextOffset(25, 10, 35)).toBeUndefined();
  expect(nextOffset(150, 25, 1000)).toBe(175);
  expect(nextOffset(175, 25, 1000)).toBeUndefined();
});

test('LAYER_KEYS contains the key of every query except the session', () => {
  const options = Object.values(queries)
    .filter((value) => typeof value !== 'number')
    .map((value) => (typeof value === 'function' ? Reflect.apply(value, undefined, ['x']) : value));
  const keys = options.map(({ queryKey: [first] }) => String(first));
  expect([...LAYER_KEYS, 'session'].toSorted()).toEqual(keys.toSorted());
});

test('call rejects with the abort reason if the page canceled the request', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation((_, init) => {
    init?.signal?.throwIfAborted();
    return Promise.reject(new TypeError('fetch failed'));
  });
  onTestFinished(() => fetched.mockRestore());
  const canceled = new AbortController();
  canceled.abort();
  const { signal } = canceled;
  await expect(call('GET', '/v1/layers', { signal })).rejects.toBe(signal.reason);
  await expect(call('GET', '/v1/layers')).rejects.toThrow(UnreachableError);
});
