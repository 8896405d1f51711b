import { defineEndpoint, type Endpoint } from '@catalog/contract/endpoints/endpoint';
import { endpoints } from '@catalog/contract/endpoints/table';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPathMatcher } from './match-path.ts';

function operation(endpoint: Endpoint): { route: { endpoint: Endpoint } } {
  return { route: { endpoint } };
}

const all = createPathMatcher(endpoints.map(operation));

const segment = fc.string({ minLength: 1, unit: 'grapheme' }).map(encodeURIComponent);

describe('createPathMatcher', () => {
  test.each(endpoints.map((row) => [row.path, row] as const))(
    '%s matches its endpoint',
    (path, row) => {
      fc.assert(
        fc.property(segment, (value) => {
          const filled = path.replaceAll(/\{\w+(?:\.\.\.)?\}/g, value);
          for (const method of row.methods) {
            const match = all.match(method, filled);
            if (match.kind !== 'operation') throw new Error(`${method} ${filled} is ${match.kind}`);
            expect(match.operation.route.endpoint).toBe(row);
            const names = Object.keys(row.params?.shape ?? {});
            expect(match.params).toEqual(
              Object.fromEntries(names.map((name) => [name, decodeURIComponent(value)])),
            );
          }
        }),
        { numRuns: 20 },
      );
    },
  );

  test('another method of an existing path returns the allowed methods', () => {
    const match = all.match('PATCH', '/v1/layers');
    expect(match).toMatchObject({ kind: 'method', allow: ['POST', 'GET', 'DELETE'] });
    expect(all.match('POST', '/v1/ingests/x')).toMatchObject({ kind: 'method', allow: ['GET'] });
  });

  test.each(['', '/v1', '/v1/layers/', '//v1/layers', '/v1/ingests/', '/v1/ingests/a/b', '*'])(
    '"%s" matches nothing',
    (path) => {
      expect(all.match('GET', path).kind).toBe('none');
    },
  );

  test('an invalid percent encoding is kept as is', () => {
    const row = defineEndpoint({
      name: 'one',
      methods: ['GET'],
      path: '/v1/one/{id}',
      summary: '',
      access: 'read',
      writes: false,
      responses: { 200: null },
      errors: [],
    });
    const match = createPathMatcher([operation(row)]).match('GET', '/v1/one/%E0%A4');
    expect(match).toMatchObject({ params: { id: '%E0%A4' } });
  });
});
