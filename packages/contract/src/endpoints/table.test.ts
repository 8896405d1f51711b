import { describe, expect, test } from 'vitest';
import * as access from './access.ts';
import * as audit from './audit.ts';
import * as browser from './browser.ts';
import * as discovery from './discovery.ts';
import * as freeze from './freeze.ts';
import * as layers from './layers.ts';
import * as materialization from './materialization.ts';
import * as operations from './operations.ts';
import * as purge from './purge.ts';
import * as scim from './scim.ts';
import * as searchIndex from './search-index.ts';
import * as usage from './usage.ts';
import * as webhooks from './webhooks.ts';
import type { Endpoint } from './endpoint.ts';
import { endpointGroups, endpoints } from './table.ts';

describe('endpoints', () => {
  test('contain every defined endpoint exactly once', () => {
    const modules = [
      discovery,
      freeze,
      purge,
      materialization,
      usage,
      layers,
      access,
      searchIndex,
      audit,
      browser,
      scim,
      operations,
      webhooks,
    ];
    const defined = modules
      .flatMap((module): (Endpoint | readonly Endpoint[])[] => Object.values(module))
      .filter((value) => !Array.isArray(value));
    expect(new Set(endpoints)).toEqual(new Set(defined));
    expect(endpoints).toHaveLength(defined.length);
    expect(endpointGroups.map(({ endpoints }) => endpoints.length)).not.toContain(0);
  });

  test('have unique names and unique pairs of method and path', () => {
    const names = endpoints.map(({ name }) => name);
    const lines = endpoints.flatMap(({ methods, path }) => methods.map((one) => `${one} ${path}`));
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(lines).size).toBe(lines.length);
  });

  test.each(endpoints.map((row) => [row.name, row] as const))(
    '%s declares its path parameters and does not write by GET',
    (_, row) => {
      const braces = [...row.path.matchAll(/\{(\w+)(?:\.\.\.)?\}/g)].map(([, name]) => name);
      expect(Object.keys(row.params?.shape ?? {})).toEqual(braces);
      if (row.writes) expect(row.methods).not.toContain('GET');
      if (row.body !== undefined) expect(row.methods).not.toContain('GET');
    },
  );
});
