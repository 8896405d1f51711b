import { describe, expect, test } from 'vitest';
import { endpoints } from './endpoints/table.ts';
import { openApiDocument, openApiPath } from './open-api.ts';

function* references(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref') yield String(value);
    else yield* references(value);
  }
}

describe('openApiDocument', () => {
  const document = openApiDocument();

  test('has an operation with a unique id for every method of every endpoint', () => {
    const { paths } = document;
    const ids: unknown[] = [];
    for (const endpoint of endpoints) {
      const path = openApiPath(endpoint);
      for (const method of endpoint.methods) {
        const operation = JSON.parse(JSON.stringify(paths))[path][method.toLowerCase()];
        ids.push(operation.operationId);
        expect(Object.keys(operation.responses)).toContain('default');
      }
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('references only schemas it contains and contains no unused schemas', () => {
    const schemas = Object.keys(JSON.parse(JSON.stringify(document)).components.schemas);
    const named = new Set(
      [...references(document)].map((ref) => ref.replace('#/components/schemas/', '')),
    );
    expect([...named].filter((name) => !schemas.includes(name))).toEqual([]);
    expect(schemas.filter((name) => !named.has(name))).toEqual([]);
  });

  test('is deterministic', () => {
    expect(JSON.stringify(openApiDocument())).toBe(JSON.stringify(document));
  });
});
