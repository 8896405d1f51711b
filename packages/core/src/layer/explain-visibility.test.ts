import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  explainVisibility,
  type ExplainableLayer,
  type VisibilityUser,
} from './explain-visibility.ts';
import { isLayerVisible } from './visibility.ts';

const NO_GRANTS: ExplainableLayer = {
  public: false,
  organization: false,
  groups: null,
  users: null,
  user_defined: false,
  owner: '',
};

const ADA: VisibilityUser = {
  subject: 'ada',
  email: 'ada@x.org',
  is_active: true,
  given_groups: ['eng'],
  directory_groups: ['ops', 'eng'],
};

const REASONS: readonly (readonly [
  layer: Partial<ExplainableLayer>,
  person: Partial<VisibilityUser>,
  visible: boolean,
  reason: string,
])[] = [
  [{ public: true }, {}, true, 'layer.public=true'],
  [{ public: true }, { is_active: false }, true, 'layer.public=true'],
  [{ organization: true }, {}, true, 'layer.organization=true and identity is authenticated'],
  [
    { organization: true, users: ['ada'] },
    { is_active: false },
    false,
    'user is deactivated in the directory; layer requires authentication',
  ],
  [{ users: ['bob', 'ada'] }, {}, true, 'user is in layer.users'],
  [{ users: ['ada@x.org'] }, {}, true, 'user is in layer.users by ada@x.org'],
  [{ users: ['bob'] }, { email: 'bob' }, false, 'user is not in layer.users or layer.groups'],
  [{ groups: ['ops', 'hr'] }, {}, true, 'user is in layer.groups: ops (directory)'],
  [
    { groups: ['ops', 'eng'], users: ['ada'] },
    {},
    true,
    'user is in layer.users; user is in layer.groups: ops (directory), eng (given and directory)',
  ],
  [
    { user_defined: true, owner: 'ada', users: ['ada'] },
    {},
    true,
    'user owns the layer; user is in layer.users',
  ],
  [{ groups: ['hr'] }, {}, false, 'user is not in layer.users or layer.groups'],
  [{ users: [''] }, { email: '' }, false, 'user is not in layer.users or layer.groups'],
  [
    { groups: [] },
    {},
    false,
    'layer grants no access: neither public nor organization, empty groups and users',
  ],
];

describe('explainVisibility', () => {
  test.each(REASONS)('explains %j to %j', (layer, person, visible, reason) => {
    expect(explainVisibility({ ...NO_GRANTS, ...layer }, { ...ADA, ...person })).toEqual({
      visible,
      reason,
    });
  });

  test('returns the same verdict as isLayerVisible, always with a reason', () => {
    const names = fc.subarray(['eng', 'ops', 'hr']);
    const layer = fc.record({
      public: fc.boolean(),
      organization: fc.boolean(),
      groups: fc.option(names),
      users: fc.option(fc.subarray(['ada', 'bob', 'ada@x.org', ''])),
      user_defined: fc.boolean(),
      owner: fc.constantFrom('', 'ada', 'bob'),
    });
    const person = fc.record({
      subject: fc.constantFrom('ada', 'bob', 'eve'),
      email: fc.constantFrom('', 'ada@x.org'),
      is_active: fc.boolean(),
      given_groups: names,
      directory_groups: names,
    });
    fc.assert(
      fc.property(layer, person, (each, anyUser) => {
        const { subject, email, is_active, given_groups, directory_groups } = anyUser;
        const groups = [...given_groups, ...directory_groups];
        const { visible } = isLayerVisible(
          each,
          is_active
            ? { kind: 'subject', subject, email, email_verified: true, groups }
            : { kind: 'anonymous' },
        );
        const verdict = explainVisibility(each, anyUser);
        expect(verdict.visible).toBe(visible);
        expect(verdict.reason).not.toBe('');
      }),
    );
  });
});
