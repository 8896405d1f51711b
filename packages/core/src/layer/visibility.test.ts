import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeLayers, type ComposableLayer } from './compose-layers.ts';
import type { Caller } from '../identity/caller.ts';
import { isLayerVisible, type LayerVisibility } from './visibility.ts';

const NO_GRANTS: LayerVisibility = {
  public: false,
  organization: false,
  groups: null,
  users: null,
};
const ADA: Caller = {
  kind: 'subject',
  subject: 'u1',
  email: 'ada@x.org',
  email_verified: true,
  groups: ['eng'],
};
const BOT: Caller = { kind: 'subject', subject: 'u2', groups: [] };
const ANONYMOUS: Caller = { kind: 'anonymous' };
const OPEN: Caller = { kind: 'open' };

const VERDICTS: readonly (readonly [
  grants: Partial<LayerVisibility>,
  caller: Caller,
  visible: boolean,
  reason: string,
])[] = [
  [{}, OPEN, true, 'registry authenticates no caller'],
  [{}, ANONYMOUS, false, 'caller is anonymous; layer requires authentication'],
  [{}, ADA, false, 'user is not in layer.users or layer.groups'],
  [{ public: true }, ANONYMOUS, true, 'layer.public=true'],
  [{ public: true }, ADA, true, 'layer.public=true'],
  [{ organization: true }, ANONYMOUS, false, 'caller is anonymous; layer requires authentication'],
  [{ organization: true }, BOT, true, 'layer.organization=true and identity is authenticated'],
  [{ groups: ['eng'] }, ADA, true, 'user matches layer.users or layer.groups'],
  [{ groups: ['eng'] }, BOT, false, 'user is not in layer.users or layer.groups'],
  [{ groups: ['Eng'] }, ADA, false, 'user is not in layer.users or layer.groups'],
  [{ groups: ['eng'] }, ANONYMOUS, false, 'caller is anonymous; layer requires authentication'],
  [{ users: ['u1'] }, ADA, true, 'user matches layer.users or layer.groups'],
  [{ users: ['ada@x.org'] }, ADA, true, 'user matches layer.users or layer.groups'],
  [{ users: ['u1'] }, BOT, false, 'user is not in layer.users or layer.groups'],
  // An unverified or malformed e-mail address matches no entry (SPEC-78).
  [
    { users: ['ada@x.org'] },
    { ...ADA, email_verified: false },
    false,
    'user is not in layer.users or layer.groups',
  ],
  [
    { users: ['u1'] },
    { ...BOT, email: 'u1', email_verified: true },
    false,
    'user is not in layer.users or layer.groups',
  ],
  // A caller without an address must not match an empty entry.
  [
    { users: [''] },
    { kind: 'subject', subject: 'u3', email: '', groups: [] },
    false,
    'user is not in layer.users or layer.groups',
  ],
  [{ users: [], groups: [] }, ADA, false, 'user is not in layer.users or layer.groups'],
];

describe('isLayerVisible', () => {
  test.each(VERDICTS)('returns the verdict for %j and %j', (grants, caller, visible, reason) => {
    expect(isLayerVisible({ ...NO_GRANTS, ...grants }, caller)).toEqual({ visible, reason });
  });

  const layer = fc.record({
    public: fc.boolean(),
    organization: fc.boolean(),
    groups: fc.option(fc.subarray(['eng', 'ops'])),
    users: fc.option(fc.subarray(['u1', 'u2', 'ada@x.org'])),
  });
  const subject = fc.record({
    kind: fc.constant('subject' as const),
    subject: fc.constantFrom('u1', 'u2', 'u3'),
    email: fc.option(fc.constantFrom('ada@x.org', ''), { nil: undefined }),
    email_verified: fc.boolean(),
    groups: fc.subarray(['eng', 'ops']),
  });

  test('never hides a layer because of an additional grant', () => {
    fc.assert(
      fc.property(layer, layer, subject, (a, b, caller) => {
        const both = {
          public: a.public || b.public,
          organization: a.organization || b.organization,
          groups: [...(a.groups ?? []), ...(b.groups ?? [])],
          users: [...(a.users ?? []), ...(b.users ?? [])],
        };
        const either = isLayerVisible(a, caller).visible || isLayerVisible(b, caller).visible;
        expect(isLayerVisible(both, caller).visible).toBe(either);
      }),
    );
  });

  test('never shows an anonymous caller more than a subject', () => {
    fc.assert(
      fc.property(layer, subject, (each, caller) => {
        const { visible } = isLayerVisible(each, { kind: 'anonymous' });
        expect(visible).toBe(each.public);
        if (visible) expect(isLayerVisible(each, caller).visible).toBe(true);
      }),
    );
  });
});

describe('composeLayers', () => {
  const layer = (
    id: string,
    order: number,
    more: Partial<ComposableLayer> = {},
  ): ComposableLayer => ({
    ...NO_GRANTS,
    public: true,
    id,
    order,
    user_defined: false,
    ...more,
  });

  test('orders layers by order, then by id', () => {
    const layers = [layer('c', 20), layer('b', 10), layer('a', 20), layer('d', 5)];
    expect(composeLayers(layers, ANONYMOUS).map(({ id }) => id)).toEqual(['d', 'b', 'a', 'c']);
  });

  test('places personal layers above all others, regardless of their order', () => {
    const layers = [
      layer('mine', 1, { user_defined: true, public: false, users: ['u1'] }),
      layer('org', 900),
      layer('mine-too', 0, { user_defined: true, public: false, users: ['u1'] }),
    ];
    expect(composeLayers(layers, ADA).map(({ id }) => id)).toEqual(['org', 'mine-too', 'mine']);
  });

  test('includes visible layers only', () => {
    const layers = [layer('org', 1), layer('secret', 2, { public: false })];
    expect(composeLayers(layers, ADA).map(({ id }) => id)).toEqual(['org']);
    expect(composeLayers(layers, OPEN).map(({ id }) => id)).toEqual(['org', 'secret']);
  });
});
