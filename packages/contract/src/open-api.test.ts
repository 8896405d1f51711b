import { describe, expect, test } from 'vitest';
import { endpoints } from './endpoints/table.ts';
import { openApiDocument, openApiPath } from './open-api.ts';

/** Every `$ref` of a document. */
function* references(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref') yield String(value);
    else yield* references(value);
  }
}

describe('the OpenAPI document', () => {
  const document = openApiDocument();

  test('has an operation for every method of every row, each with its own id', () => {
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

  test('refers only to schemas it has, and leaves none unused', () => {
    const schemas = Object.keys(JSON.parse(JSON.stringify(document)).components.schemas);
    const named = new Set(
      [...references(document)].map((ref) => ref.replace('#/components/schemas/', '')),
    );
    expect([...named].filter((name) => !schemas.includes(name))).toEqual([]);
    expect(schemas.filter((name) => !named.has(name))).toEqual([]);
  });

  test('is the same every time', () => {
    expect(JSON.stringify(openApiDocument())).toBe(JSON.stringify(document));
  });
});
