import { describe, expect, test } from 'vitest';
import { isDiscoverable, isLoadable, readLoadGrants } from './load-grants.ts';

const HASH = `sha256:${'0'.repeat(64)}`;

interface GrantRow {
  scopes: readonly string[];
  /** `id@version`. */
  finds: readonly string[];
  loads: readonly string[];
  /** Neither found nor loaded. */
  hidden: readonly string[];
}

const GRANTS: readonly GrantRow[] = [
  { scopes: [], finds: [], loads: ['ops/a@1.0.0'], hidden: [] },
  { scopes: ['openid', 'profile', 'catalogue:x'], finds: [], loads: ['ops/a@1.0.0'], hidden: [] },
  {
    scopes: ['catalog:read:ops/a'],
    finds: ['ops/a@1.0.0'],
    loads: [],
    hidden: ['ops/b@1.0.0', 'ops/a/x@1.0.0'],
  },
  {
    scopes: ['catalog:read:ops/*'],
    finds: ['ops/a@1.0.0', 'ops/a/b@2.0.0'],
    loads: [],
    hidden: ['ops@1.0.0', 'opsx/a@1.0.0'],
  },
  { scopes: ['catalog:read:*'], finds: ['a@1.0.0', 'ops/a/b@1.0.0'], loads: [], hidden: [] },
  {
    scopes: ['catalog:load:ops/a'],
    finds: [],
    loads: ['ops/a@1.0.0', 'ops/a@2.0.0-rc.1'],
    hidden: ['ops/b@1.0.0'],
  },
  { scopes: ['catalog:load:*'], finds: [], loads: ['a@1.0.0', 'ops/a@2.0.0'], hidden: [] },
  {
    scopes: ['catalog:load:ops/*@1.x'],
    finds: ['ops/a@2.0.0'],
    loads: ['ops/a@1.9.0'],
    hidden: ['x/a@1.0.0'],
  },
  {
    scopes: ['catalog:load:ops/a@1.2.*'],
    finds: ['ops/a@1.3.0'],
    loads: ['ops/a@1.2.7'],
    hidden: [],
  },
  { scopes: ['catalog:load:ops/a@*'], finds: [], loads: ['ops/a@1.3.0'], hidden: [] },
  { scopes: [`catalog:load:ops/a@${HASH}`], finds: [], loads: ['ops/a@1.3.0'], hidden: [] },
  {
    scopes: ['catalog:load:ops/a@1.0.0', 'catalog:read:ops/*'],
    finds: ['ops/b@1.0.0', 'ops/a@1.1.0'],
    loads: ['ops/a@1.0.0'],
    hidden: ['x@1.0.0'],
  },
  // What cannot be read, or grants something else, still narrows.
  { scopes: ['catalog:write:ops/*'], finds: [], loads: [], hidden: ['ops/a@1.0.0'] },
  { scopes: ['catalog:'], finds: [], loads: [], hidden: ['ops/a@1.0.0'] },
  { scopes: ['catalog:load:'], finds: [], loads: [], hidden: ['ops/a@1.0.0'] },
  { scopes: ['catalog:load:ops/a@newest'], finds: [], loads: [], hidden: ['ops/a@1.0.0'] },
  { scopes: ['catalog:load:ops/a@'], finds: [], loads: [], hidden: ['ops/a@1.0.0'] },
  { scopes: ['catalog:read:ops/a@1.x'], finds: [], loads: [], hidden: ['ops/a@1.0.0'] },
];

function artifact(text: string): { id: string; version: string; content_hash: string } {
  const [id = '', version = ''] = text.split('@');
  return { id, version, content_hash: HASH };
}

describe('load grants', () => {
  test.each(GRANTS)('$scopes', ({ scopes, finds, loads, hidden }) => {
    const grants = readLoadGrants(scopes);
    const verdict = (text: string): string => {
      const { id, ...rest } = artifact(text);
      if (isLoadable(grants, { id, ...rest })) return 'load';
      return isDiscoverable(grants, id) ? 'find' : 'hidden';
    };
    expect(loads.map(verdict)).toEqual(loads.map(() => 'load'));
    expect(finds.map(verdict)).toEqual(finds.map(() => 'find'));
    expect(hidden.map(verdict)).toEqual(hidden.map(() => 'hidden'));
  });

  test('what may be loaded may be found', () => {
    for (const { scopes, loads } of GRANTS) {
      const grants = readLoadGrants(scopes);
      expect(loads.every((text) => isDiscoverable(grants, artifact(text).id))).toBe(true);
    }
  });
});
