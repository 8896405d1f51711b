import type { AccessClass } from '@catalog/contract/endpoints/endpoint';
import { describe, expect, test } from 'vitest';
import { authorize } from './authorize.ts';
import type { Caller } from './layer/visibility.ts';

const OPEN: Caller = { kind: 'open' };
const EVERY_CLASS: readonly AccessClass[] = [
  'read',
  'layer_list',
  'layer_reorder',
  'layer_write',
  'admin',
  'operator',
  'events',
  'none',
];

describe('authorize', () => {
  test.each(EVERY_CLASS)('admits the operator of an open registry to %s', (access) => {
    for (const as_admin of [false, true]) {
      expect(authorize(OPEN, access, { public_mode: false, as_admin }).kind).toBe('admitted');
    }
  });

  test.each(EVERY_CLASS)('in public mode nobody is admin: %s', (access) => {
    const expected = access === 'admin' || access === 'operator' ? 'refused' : 'admitted';
    expect(authorize(OPEN, access, { public_mode: true, as_admin: false }).kind).toBe(expected);
    expect(authorize(OPEN, access, { public_mode: true, as_admin: true }).kind).toBe('refused');
  });

  test('a caller without the role is no admin', () => {
    const callers: Caller[] = [
      { kind: 'anonymous' },
      { kind: 'subject', subject: 'ada', groups: ['admins'] },
    ];
    for (const caller of callers) {
      const facts = { public_mode: false, as_admin: false };
      expect(authorize(caller, 'admin', facts).kind).toBe('refused');
      expect(authorize(caller, 'read', { ...facts, as_admin: true }).kind).toBe('refused');
      expect(authorize(caller, 'read', facts).kind).toBe('admitted');
    }
  });
});
