import { searchArtifacts } from '@catalog/contract/endpoints/discovery';
import { defineEndpoint } from '@catalog/contract/endpoints/endpoint';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { events } from '@catalog/contract/endpoints/operations';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createBinder } from './bind.ts';

const value = fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' });

describe('bindQuery', () => {
  test('decodes every encoding of a query, also when it is repeated', () => {
    const binder = createBinder(loadArtifact);
    fc.assert(
      fc.property(value, fc.string({ maxLength: 50, unit: 'grapheme' }), (id, version) => {
        const expected = { id, version, layer: '', as_admin: false };
        for (const search of [
          `id=${encodeURIComponent(id)}&version=${encodeURIComponent(version)}`,
          new URLSearchParams({ version, id }).toString(),
          `&id=${encodeURIComponent(id)}&&version=${encodeURIComponent(version)}&`,
        ]) {
          expect(binder.bindQuery(search)).toEqual(expected);
          expect(binder.bindQuery(search)).toEqual(expected);
        }
      }),
      // More runs than the query cache has entries.
      { numRuns: 500 },
    );
  });

  test('accepts repeated arguments if the contract defines a list', () => {
    const binder = createBinder(events);
    expect(binder.bindQuery('')).toEqual({ type: [] });
    expect(binder.bindQuery('type=a&since=7&type=b')).toEqual({ type: ['a', 'b'], since: '7' });
  });

  test('rejects an invalid query again on the second call', () => {
    const binder = createBinder(searchArtifacts);
    for (const search of [
      'top_k=51',
      'top_k=1.5',
      'top_k=0x10',
      'top_k=',
      'constructor=1',
      'top_k',
    ]) {
      for (let time = 0; time < 2; time += 1) {
        expect(() => binder.bindQuery(search), search).toThrow(CatalogError);
      }
    }
  });
});

describe('bindBody', () => {
  const binder = createBinder(
    defineEndpoint({
      name: 'write',
      methods: ['POST'],
      path: '/v1/write',
      summary: '',
      access: 'read',
      writes: true,
      body: z.strictObject({ list: z.array(z.strictObject({ name: z.string() })) }),
      responses: { 200: null },
      errors: [],
    }),
  );

  function refusalOf(body: unknown): unknown {
    try {
      binder.bindBody(Buffer.from(JSON.stringify(body)), 'application/json; charset=utf-8');
    } catch (error) {
      return error instanceof CatalogError ? [error.message, error.details] : error;
    }
    return undefined;
  }

  test('reports the path of an invalid value', () => {
    expect(refusalOf({ list: [{ name: 'a' }] })).toBeUndefined();
    expect(refusalOf({ list: [{ name: 'a' }, { name: 7 }] })).toEqual([
      '"list[1].name" must be a string.',
      { argument: 'list[1].name', constraint: 'type' },
    ]);
    expect(refusalOf({ list: [{}] })).toEqual([
      '"list[0].name" is required.',
      { argument: 'list[0].name', constraint: 'required' },
    ]);
    expect(refusalOf({ lits: [], other: 1 })).toEqual([
      '"list" is required.',
      { argument: 'list', constraint: 'required', fields: ['list', 'lits', 'other'] },
    ]);
    expect(refusalOf({ list: [], lits: [] })).toEqual([
      'Unknown field "lits". Did you mean "list"? Accepted: list.',
      { argument: 'lits', constraint: 'unknown' },
    ]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'json'])(
    'rejects the content type %s',
    (type) => {
      expect(() => binder.bindBody(Buffer.from('{"list":[]}'), type)).toThrow(/content type/);
    },
  );

  test.each([
    undefined,
    'application/json',
    'Application/JSON;charset=utf-8',
    'application/x+json',
  ])('accepts the content type %s', (type) => {
    expect(binder.bindBody(Buffer.from('{"list":[]}'), type)).toEqual({ list: [] });
  });
});
