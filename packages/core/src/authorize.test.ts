import type { AccessClass } from '@catalog/contract/endpoints/endpoint';
import { describe, expect, test } from 'vitest';
import {
  authorize,
  mayManageLayers,
  maySeeHostPaths,
  requireAuthorized,
  type Action,
  type ActionFacts,
  type OpenRegistry,
} from './authorize.ts';
import type { Caller } from './identity/caller.ts';

const OPEN: Caller = { kind: 'open' };
const ANONYMOUS: Caller = { kind: 'anonymous' };
const EXPIRED: Caller = {
  kind: 'refused',
  code: 'auth.token_expired',
  message: 'The token has expired.',
  details: {},
};
const NO_TENANT: Caller = {
  kind: 'refused',
  code: 'auth.tenant_unknown',
  message: 'No such tenant.',
  details: {},
};
const DUPLICATE_HEADERS: Caller = {
  kind: 'refused',
  code: 'registry.invalid_argument',
  message: 'The header came twice.',
  details: {},
};
const ANN: Caller = { kind: 'subject', subject: 'ann', groups: ['admins'] };
const ADMIN: Caller = { kind: 'subject', subject: 'root', groups: [], is_admin: true };
const OPERATOR: Caller = { kind: 'subject', subject: 'ops', groups: [], is_operator: true };

function verdictOf<Name extends Action>(
  caller: Caller,
  action: Name,
  facts: ActionFacts[Name],
): string {
  const verdict = authorize(caller, action, facts);
  if (verdict.kind === 'admitted') return '';
  const { code, details = {} } = verdict;
  return details['constraint'] === undefined ? code : `${code} ${details['constraint']}`;
}

describe('authorize: routes by access class', () => {
  const CALLERS = [OPEN, ANONYMOUS, EXPIRED, NO_TENANT, ANN, ADMIN, OPERATOR] as const;
  const no = 'auth.forbidden';
  const old = 'auth.token_expired';
  const lost = 'auth.tenant_unknown';
  /**
   * Expected decisions by access class, for these callers: open, anonymous, expired, no tenant, subject, admin,
   * operator.
   */
  const TABLE: readonly [AccessClass, readonly string[]][] = [
    ['read', ['', '', old, lost, '', '', '']],
    ['layer_list', ['', '', old, lost, '', '', '']],
    ['layer_reorder', ['', no, old, lost, '', '', '']],
    ['layer_write', ['', no, no, lost, '', '', '']],
    ['admin', ['', no, old, lost, no, '', no]],
    ['operator', ['', no, old, lost, no, no, '']],
    ['events', ['', no, old, lost, '', '', '']],
    ['posture', ['', '', '', '', '', '', '']],
    ['scim', ['', '', '', '', '', '', '']],
    ['none', ['', '', '', '', '', '', '']],
  ];

  const USING = { writes: false, public_mode: false, open_writes: 'allow' } as const;
  const WRITING = { ...USING, writes: true };

  test.each(TABLE)('decides about routes of the class %s for each caller', (access, expected) => {
    const facts = { ...USING, access };
    expect(CALLERS.map((caller) => verdictOf(caller, 'use', facts))).toEqual(expected);
  });

  test.each(TABLE)('grants no role in public mode: %s', (access) => {
    const expected = access === 'admin' || access === 'operator' ? no : '';
    expect(verdictOf(OPEN, 'use', { ...USING, access, public_mode: true })).toBe(expected);
  });

  test.each(TABLE)(
    'rejects writes of open callers if `open_writes` is `deny`: %s',
    (access, expected) => {
      const isRead = access === 'posture' || access === 'scim' || access === 'none';
      for (const public_mode of [false, true]) {
        const facts = { ...WRITING, access, public_mode, open_writes: 'deny' } as const;
        expect(verdictOf(OPEN, 'use', facts)).toBe(isRead ? '' : no);
      }
      expect(verdictOf(OPEN, 'use', { ...USING, access, open_writes: 'deny' })).toBe('');
      // The setting `open_writes` does not affect authenticated callers.
      const facts = { ...WRITING, access, open_writes: 'deny' } as const;
      expect(CALLERS.slice(1).map((caller) => verdictOf(caller, 'use', facts))).toEqual(
        expected.slice(1),
      );
    },
  );

  test('lets admins manage every layer unless open writes are denied', () => {
    const manage = (caller: Caller, open_writes: 'allow' | 'deny') =>
      mayManageLayers(caller, { public_mode: false, open_writes });
    expect(CALLERS.filter((caller) => manage(caller, 'allow'))).toEqual([OPEN, ADMIN]);
    expect(CALLERS.filter((caller) => manage(caller, 'deny'))).toEqual([ADMIN]);
    expect(manage({ ...ADMIN, grants: [] }, 'allow')).toBe(false);
  });

  test('shows host paths to admins only, and to no caller in public mode', () => {
    const see = (caller: Caller, registry: Partial<OpenRegistry> = {}) =>
      maySeeHostPaths(caller, { public_mode: false, open_writes: 'allow', ...registry });
    expect(CALLERS.filter((caller) => see(caller))).toEqual([OPEN, ADMIN]);
    expect(see(OPEN, { public_mode: true })).toBe(false);
    expect(see(OPEN, { open_writes: 'deny' })).toBe(false);
    expect(see({ ...ADMIN, grants: [] })).toBe(false);
  });

  test('rejects duplicate headers on every route that reads an identity', () => {
    for (const [access] of TABLE) {
      const isRead = access !== 'posture' && access !== 'scim' && access !== 'none';
      const expected = isRead ? 'registry.invalid_argument' : '';
      expect(verdictOf(DUPLICATE_HEADERS, 'use', { ...USING, access }), access).toBe(expected);
    }
  });

  test('limits a narrowed token to reads', () => {
    const narrowed: Caller = { ...ADMIN, is_operator: true, grants: [] };
    const admitted = TABLE.map(([access]) => access).filter(
      (access) => verdictOf(narrowed, 'use', { ...USING, access }) === '',
    );
    expect(admitted).toEqual(['read', 'layer_list', 'posture', 'scim', 'none']);
  });

  test('lets only admins view every layer', () => {
    const facts = { public_mode: false };
    expect(CALLERS.map((caller) => verdictOf(caller, 'see_all', facts))).toEqual([
      '',
      no,
      old,
      lost,
      no,
      '',
      no,
    ]);
    expect(verdictOf(OPEN, 'see_all', { public_mode: true })).toBe(no);
  });
});

const BY_ADMINS = { host_paths: 'admins' } as const;
const REMOTE = { source_type: 'git', repo: 'https://git.example/x.git' } as const;
const FOLDER = { source_type: 'local', repo: '' } as const;
const DISGUISED = { source_type: 'git', repo: 'file:///srv/skills' } as const;
const OF_ANN = { user_defined: true, owner: 'ann', ...REMOTE };
const NAMES_ANN = { user_defined: false, owner: 'ann', ...REMOTE };
const OF_BOB = { user_defined: true, owner: 'bob', ...REMOTE };

describe('authorize: writing a layer', () => {
  const STORED = [undefined, OF_ANN, NAMES_ANN, OF_BOB] as const;
  const no = 'auth.forbidden';
  const gone = 'registry.not_found';

  test.each([
    [OPEN, ['', '', '', '']],
    [ADMIN, ['', '', '', '']],
    [ANN, ['', '', no, no]],
    [OPERATOR, ['', no, no, no]],
    [ANONYMOUS, [no, no, no, no]],
    [EXPIRED, [no, no, no, no]],
  ] as const)('decides about register for %j', (caller, expected) => {
    const facts = { id: 'x', source: REMOTE, asserts: [], ...BY_ADMINS };
    expect(STORED.map((stored) => verdictOf(caller, 'register', { ...facts, stored }))).toEqual(
      expected,
    );
  });

  test.each([
    [OPEN, [gone, '', '', '']],
    [ADMIN, [gone, '', '', '']],
    [ANN, [no, '', no, no]],
    [ANONYMOUS, [no, no, no, no]],
    [EXPIRED, [no, no, no, no]],
  ] as const)(
    'decides about update, unregister, restore and reingest for %j',
    (caller, expected) => {
      const each = (stored: (typeof STORED)[number]): string[] => [
        verdictOf(caller, 'update', {
          id: 'x',
          stored,
          is_there: true,
          names_host_path: false,
          moves: false,
          ...BY_ADMINS,
        }),
        verdictOf(caller, 'unregister', { id: 'x', stored, is_there: true }),
        verdictOf(caller, 'restore', { id: 'x', stored, is_there: true, ...BY_ADMINS }),
        verdictOf(caller, 'reingest', { id: 'x', stored, is_there: true, ...BY_ADMINS }),
      ];
      expect(STORED.map(each)).toEqual(expected.map((one) => [one, one, one, one]));
      expect(verdictOf(caller, 'reorder', { stored: OF_ANN })).toBe(expected[1]);
    },
  );

  test('reports a layer in the wrong state only to callers who may write it', () => {
    const facts = { id: 'x', stored: OF_ANN, is_there: false, ...BY_ADMINS };
    for (const action of ['unregister', 'restore', 'reingest'] as const) {
      const codes = [ANN, ADMIN, OPEN, OPERATOR, ANONYMOUS].map((who) =>
        verdictOf(who, action, facts),
      );
      expect(codes).toEqual([gone, gone, gone, no, no]);
    }
  });

  test('returns the same refusal for an existing and a missing layer', () => {
    expect(
      authorize(ANN, 'update', {
        id: 'x',
        stored: OF_BOB,
        is_there: true,
        names_host_path: true,
        moves: true,
        ...BY_ADMINS,
      }),
    ).toEqual(
      authorize(ANN, 'update', {
        id: 'y',
        stored: undefined,
        is_there: false,
        names_host_path: true,
        moves: true,
        ...BY_ADMINS,
      }),
    );
  });
});

describe('authorize: fields reserved for administrators', () => {
  const local = 'auth.forbidden local_source';

  test.each([FOLDER, DISGUISED])(
    'rejects a source on the host unless the caller is an admin: %j',
    (source) => {
      const stored = { ...OF_ANN, ...source };
      for (const [caller, expected] of [
        [ANN, local],
        [ADMIN, ''],
        [OPEN, ''],
      ] as const) {
        const facts = { id: 'x', stored: undefined, source, asserts: [], ...BY_ADMINS };
        const there = { id: 'x', stored, is_there: true, ...BY_ADMINS };
        expect(verdictOf(caller, 'register', facts)).toBe(expected);
        expect(verdictOf(caller, 'restore', there)).toBe(expected);
        expect(verdictOf(caller, 'reingest', there)).toBe(expected);
        expect(verdictOf(caller, 'unregister', there)).toBe('');
        expect(verdictOf(caller, 'reorder', { stored })).toBe('');
        expect(verdictOf(caller, 'deliver', { stored: source })).toBe(expected);
      }
      expect(verdictOf(ANONYMOUS, 'deliver', { stored: source })).toBe(local);
      expect(verdictOf(ANONYMOUS, 'deliver', { stored: REMOTE })).toBe('');
    },
  );

  test("rejects a patch with a host folder from an owner, independent of the layer's source", () => {
    const patch = { names_host_path: true, moves: false };
    const facts = { id: 'x', stored: OF_ANN, is_there: true, ...patch, ...BY_ADMINS };
    expect(verdictOf(ANN, 'update', facts)).toBe(local);
    expect(verdictOf(ADMIN, 'update', facts)).toBe('');
  });

  test('rejects another subdirectory of a host source from an owner', () => {
    for (const source of [FOLDER, DISGUISED, REMOTE]) {
      const stored = { ...OF_ANN, ...source };
      const patch = { names_host_path: false, moves: true };
      const facts = { id: 'x', stored, is_there: true, ...patch, ...BY_ADMINS };
      expect(verdictOf(ANN, 'update', facts)).toBe(source === REMOTE ? '' : local);
      expect(verdictOf(ADMIN, 'update', facts)).toBe('');
    }
  });

  test('rejects owner and visibility from non-admins', () => {
    const asserts = ['public', 'groups'];
    const facts = { id: 'x', stored: undefined, source: REMOTE, asserts, ...BY_ADMINS };
    expect(verdictOf(ADMIN, 'register', facts)).toBe('');
    expect(authorize(ANN, 'register', facts)).toMatchObject({
      code: 'auth.forbidden',
      message: 'Only administrators can set `public`, `groups`.',
      details: { constraint: 'admin_only_fields' },
    });
  });

  test('checks the write rule before host paths, and host paths before admin-only fields', () => {
    const asserts = ['public'];
    const facts = { id: 'x', source: FOLDER, asserts, ...BY_ADMINS };
    expect(verdictOf(ANN, 'register', { ...facts, stored: OF_BOB })).toBe('auth.forbidden');
    expect(verdictOf(ANN, 'register', { ...facts, stored: undefined })).toBe(local);
  });
});

describe('authorize: host paths reserved for the operator', () => {
  const host_paths = 'operator';
  const local = 'auth.forbidden local_source';
  const CALLERS = [ANN, ADMIN, OPERATOR, OPEN];

  test.each([FOLDER, DISGUISED])('rejects the source for every caller: %j', (source) => {
    const stored = { user_defined: false, owner: '', ...source };
    const there = { id: 'x', stored, is_there: true, host_paths } as const;
    const registering = { id: 'x', stored: undefined, source, asserts: [], host_paths } as const;
    for (const caller of CALLERS) {
      expect(verdictOf(caller, 'register', registering)).toBe(local);
      expect(verdictOf(caller, 'ingest', { stored: source, host_paths })).toBe(local);
    }
    const kept = { names_host_path: false, moves: false };
    for (const caller of [ADMIN, OPEN]) {
      expect(verdictOf(caller, 'restore', there)).toBe(local);
      expect(verdictOf(caller, 'reingest', there)).toBe(local);
      expect(verdictOf(caller, 'update', { ...there, ...kept, names_host_path: true })).toBe(local);
      expect(verdictOf(caller, 'update', { ...there, ...kept, moves: true })).toBe(local);
      expect(verdictOf(caller, 'update', { ...there, ...kept })).toBe('');
      expect(verdictOf(caller, 'unregister', there)).toBe('');
    }
    expect(authorize(ADMIN, 'reingest', there)).toMatchObject({
      suggested_action: expect.stringContaining('tenant:'),
    });
  });

  test('accepts a remote repository', () => {
    const stored = { user_defined: true, owner: 'ann', ...REMOTE };
    const there = { id: 'x', stored, is_there: true, host_paths } as const;
    const registering = {
      id: 'x',
      stored: undefined,
      source: REMOTE,
      asserts: [],
      host_paths,
    } as const;
    expect(verdictOf(ANN, 'register', registering)).toBe('');
    expect(verdictOf(ANN, 'reingest', there)).toBe('');
    expect(verdictOf(ANN, 'update', { ...there, names_host_path: false, moves: true })).toBe('');
    expect(verdictOf(ADMIN, 'update', { ...there, names_host_path: true, moves: false })).toBe(
      local,
    );
    expect(verdictOf(OPEN, 'ingest', { stored: REMOTE, host_paths })).toBe('');
  });
});

describe('authorize: listing layers', () => {
  const hidden = { public: false, organization: false, groups: null, users: null };
  test.each([
    [OPEN, [true, true, true]],
    [ADMIN, [true, true, true]],
    [ANONYMOUS, [false, false, false]],
    [EXPIRED, [false, false, false]],
    [ANN, [true, true, false]],
  ] as const)('decides for %j about a public, a named and a hidden layer', (caller, expected) => {
    const layers = [{ ...hidden, public: true }, { ...hidden, users: ['ann'] }, hidden];
    expect(layers.map((stored) => verdictOf(caller, 'list', { stored }) === '')).toEqual(expected);
  });
});

test('requireAuthorized throws a refusal as its error', () => {
  const facts = { writes: false, public_mode: false, open_writes: 'allow' } as const;
  expect(() => requireAuthorized(ADMIN, 'use', { ...facts, access: 'admin' })).not.toThrow();
  expect(() => requireAuthorized(EXPIRED, 'use', { ...facts, access: 'read' })).toThrow(
    expect.objectContaining({ code: 'auth.token_expired', message: 'The token has expired.' }),
  );
});
