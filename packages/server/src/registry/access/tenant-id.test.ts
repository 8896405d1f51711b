import { describe, expect, test } from 'vitest';
import { tenantId } from './tenant-id.ts';

describe('tenantId', () => {
  // Results of another UUIDv5 implementation, in the URL namespace.
  test.each([
    ['default', '030161e5-1364-57f4-a813-f53e9b47fb2a'],
    ['acme', 'a9c244ea-5874-58d3-87bd-e74e8192c1de'],
    ['Zoë & Söhne', 'b3026c87-a6ee-5ade-a622-119328d2fb6d'],
  ])('returns the UUIDv5 of %s', (name, id) => {
    expect(tenantId(name)).toBe(id);
  });
});
