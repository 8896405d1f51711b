import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { withProtocolErrors, pageOf } from './view.ts';

const itself = (item: string): string => item;

test('pages contain every item once', () => {
  const all = Array.from({ length: 7 }, (_, at) => `id/${at}/ü`);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = pageOf(all, itself, cursor, 3);
    seen.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(all);
});

test('the last page has no cursor', () => {
  expect(pageOf(['a', 'b'], itself, undefined, 2)).toEqual({ items: ['a', 'b'] });
  expect(pageOf([], itself, undefined, 2)).toEqual({ items: [] });
});

test('a cursor of a removed item is rejected', () => {
  const { nextCursor } = pageOf(['a', 'b', 'c'], itself, undefined, 2);
  expect(() => pageOf(['a', 'c'], itself, nextCursor, 2)).toThrow(ProtocolError);
  expect(() => pageOf(['a'], itself, '§', 2)).toThrow(ProtocolError);
});

test('a catalog error becomes a protocol error', async () => {
  const notFound = withProtocolErrors('a:b', () =>
    Promise.reject(new CatalogError('registry.not_found', 'Gone.')),
  );
  await expect(notFound).rejects.toThrow(ResourceNotFoundError);
  const unreachable = new CatalogError('network.registry_unreachable', 'Away.');
  await expect(withProtocolErrors('a:b', () => Promise.reject(unreachable))).rejects.toMatchObject({
    message: expect.stringMatching(/^<untrusted-data-(\w+)>Away\.<\/untrusted-data-\1>$/),
    data: { code: 'network.registry_unreachable', message: 'Away.' },
  });
});
