import { describe, expect, test } from 'vitest';
import {
  mayCreateLayer,
  mayReadLayer,
  mayWriteLayer,
  refuseAdminOnlyFields,
  refuseHostPath,
} from './authorize-layer.ts';
import type { Caller } from './visibility.ts';

const OPEN: Caller = { kind: 'open' };
const NOBODY: Caller = { kind: 'anonymous' };
const ANN: Caller = { kind: 'subject', subject: 'ann', groups: [] };

const PERSONAL = { user_defined: true, owner: 'ann' };
const SHARED = { user_defined: false, owner: 'ann' };
const OF_BOB = { user_defined: true, owner: 'bob' };

describe('who may write a layer', () => {
  test.each([
    [OPEN, [true, true, true, true]],
    [NOBODY, [false, false, false, false]],
    [ANN, [true, true, false, false]],
  ] as const)('%j: create, own, of the organization that names her, of another', (caller, may) => {
    expect([
      mayCreateLayer(caller),
      mayWriteLayer(caller, PERSONAL),
      mayWriteLayer(caller, SHARED),
      mayWriteLayer(caller, OF_BOB),
    ]).toEqual(may);
  });
});

describe('who sees a layer in a listing', () => {
  const hidden = { public: false, organization: false, groups: null, users: null };
  test.each([
    [OPEN, [true, true, true]],
    [NOBODY, [false, false, false]],
    [ANN, [true, true, false]],
  ] as const)('%j: public, named, hidden', (caller, may) => {
    expect([
      mayReadLayer(caller, { ...hidden, public: true }),
      mayReadLayer(caller, { ...hidden, users: ['ann'] }),
      mayReadLayer(caller, hidden),
    ]).toEqual(may);
  });
});

describe('what only administrators may name', () => {
  const folder = { source_type: 'local', repo: '' } as const;
  const disguised = { source_type: 'git', repo: 'file:///srv/skills' } as const;
  const remote = { source_type: 'git', repo: 'https://git.example/x.git' } as const;

  test.each([folder, disguised])('a place on the host: %j', (source) => {
    refuseHostPath(OPEN, source);
    expect(() => refuseHostPath(ANN, source)).toThrow(
      expect.objectContaining({
        code: 'auth.forbidden',
        details: { constraint: 'local_source' },
        message: 'Only administrators may name a place on the host of the registry.',
      }),
    );
  });

  test('a remote is anybody’s', () => {
    expect(() => refuseHostPath(ANN, remote)).not.toThrow();
  });

  test('owner and visibility', () => {
    refuseAdminOnlyFields(OPEN, ['public']);
    refuseAdminOnlyFields(ANN, []);
    expect(() => refuseAdminOnlyFields(ANN, ['public', 'groups'])).toThrow(
      expect.objectContaining({
        code: 'auth.forbidden',
        details: { constraint: 'admin_only_fields' },
        message: 'Only administrators may set `public`, `groups`.',
      }),
    );
  });
});
