import type { UpdateLayerBody } from '@catalog/contract/records/layer';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LayerRecord } from '../ports/layers.ts';
import { decideLayerPatch } from './decide-patch.ts';

const SHARED: LayerRecord = {
  number: 1,
  revision: 3,
  id: 'shared',
  order: 10,
  user_defined: false,
  source_type: 'git',
  repo: 'https://git.example/shared.git',
  ref: 'main',
  root: 'skills',
  local_path: '',
  owner: 'ann',
  public: true,
  organization: false,
  groups: ['ops', 'dev'],
  users: null,
  git_provider: 'git-host-b',
  force_push_policy: 'strict',
  created_at: '2026-01-01T00:00:00.000Z',
  deleted_at: null,
  last_ingested_at: '2026-01-02T00:00:00.000Z',
  last_ingested_ref: 'c0ffee',
  webhook_secret: 's3cret',
  webhook_key: 'key',
  source_state: 'state',
  frozen_since: null,
};
const PERSONAL: LayerRecord = {
  ...SHARED,
  id: 'mine',
  user_defined: true,
  public: false,
  groups: null,
  users: ['ann'],
};
const FOLDER: LayerRecord = {
  ...SHARED,
  id: 'folder',
  source_type: 'local',
  repo: '',
  local_path: '/srv/skills',
  git_provider: '',
};

function changed(stored: LayerRecord, patch: UpdateLayerBody) {
  const decision = decideLayerPatch(stored, patch);
  if (decision.kind !== 'changed') throw new Error('nothing changed');
  return decision;
}

const anyPatch: fc.Arbitrary<UpdateLayerBody> = fc.record(
  {
    id: fc.constantFrom('other', ''),
    source_type: fc.constantFrom('local', 'git'),
    repo: fc.constantFrom('https://elsewhere.example/x.git', ''),
    public: fc.boolean(),
    organization: fc.boolean(),
    groups: fc.option(fc.array(fc.constantFrom('ops', 'dev', ' ops'), { maxLength: 3 })),
    users: fc.option(fc.array(fc.constantFrom('ann', 'bob', 'ann '), { maxLength: 2 })),
    ref: fc.constantFrom('', 'main', 'next'),
    root: fc.constantFrom('', 'skills', '/skills/', 'other', '.'),
    local_path: fc.constantFrom('', '/srv/skills', '/srv/other'),
    owner: fc.constantFrom('', 'ann', 'bob'),
    git_provider: fc.constantFrom('', 'git-host-a', 'git-host-b'),
    force_push_policy: fc.constantFrom('' as const, 'strict' as const, 'tolerant' as const),
    rotate_webhook_secret: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe('decideLayerPatch', () => {
  test('applies visibility if present, and all other fields if not empty', () => {
    const { layer, fields } = changed(SHARED, {
      public: false,
      groups: [],
      users: ['bob'],
      ref: '',
      root: 'other',
      owner: '',
    });
    expect(layer).toEqual({
      ...SHARED,
      public: false,
      groups: null,
      users: ['bob'],
      root: 'other',
    });
    expect(fields).toEqual(['public', 'groups', 'users', 'root']);
  });

  test('treats null like an empty list', () => {
    expect(changed(SHARED, { groups: null }).layer.groups).toBeNull();
    expect(changed(SHARED, { groups: [] }).layer.groups).toBeNull();
    expect(decideLayerPatch(SHARED, { users: null })).toEqual({ kind: 'unchanged' });
    expect(decideLayerPatch(SHARED, { users: [] })).toEqual({ kind: 'unchanged' });
    expect(decideLayerPatch({ ...SHARED, users: [] }, { users: null })).toEqual({
      kind: 'unchanged',
    });
  });

  test('ignores fields that cannot be patched', () => {
    const patch = { id: 'other', source_type: 'local', repo: 'https://elsewhere.example/x.git' };
    expect(decideLayerPatch(SHARED, patch)).toEqual({ kind: 'unchanged' });
  });

  test.each<[UpdateLayerBody, boolean, boolean]>([
    [{ public: false }, true, false],
    [{ owner: 'bob' }, true, false],
    [{ ref: 'next' }, true, true],
    [{ root: '/' }, true, true],
    [{ local_path: '/srv/other' }, true, false],
    [{ git_provider: 'git-host-a' }, false, false],
    [{ force_push_policy: 'tolerant' }, false, false],
    [{ rotate_webhook_secret: true }, false, false],
  ])(
    'for %j on a git layer returns publishes %s and reads_source %s',
    (patch, publishes, reads_source) => {
      expect(changed(SHARED, patch)).toMatchObject({ publishes, reads_source });
    },
  );

  test.each([
    ['github', 'git-host-a'],
    ['bitbucket', 'git-host-c'],
  ])('stores the git provider %s as %s', (git_provider, stored) => {
    expect(changed(SHARED, { git_provider }).layer.git_provider).toBe(stored);
  });

  test('requires reading the source if the folder changes', () => {
    expect(changed(FOLDER, { local_path: '/srv/other' }).reads_source).toBe(true);
    expect(changed(FOLDER, { ref: 'next' }).reads_source).toBe(false);
  });

  test('clears the source state for a new ref, because its history was not rewritten', () => {
    expect(changed(SHARED, { ref: 'next' }).layer.source_state).toBeNull();
    expect(changed(SHARED, { root: 'other' }).layer.source_state).toBe('state');
  });

  test.each<[string, LayerRecord, UpdateLayerBody, object]>([
    ['an unknown provider', SHARED, { git_provider: 'git-host-z' }, { argument: 'git_provider' }],
    [
      'a provider of a folder',
      FOLDER,
      { git_provider: 'git-host-a' },
      { argument: 'git_provider' },
    ],
    ['a root outside', SHARED, { root: '../x' }, { argument: 'root' }],
    ['a relative folder', FOLDER, { local_path: 'skills' }, { argument: 'local_path' }],
    [
      'a secret of a folder',
      FOLDER,
      { rotate_webhook_secret: true },
      { argument: 'rotate_webhook_secret' },
    ],
  ])('rejects %s', (_what, stored, patch, details) => {
    expect(() => decideLayerPatch(stored, patch)).toThrow(
      expect.objectContaining({
        code: 'registry.invalid_argument',
        details: expect.objectContaining(details),
      }),
    );
  });

  test.each<[UpdateLayerBody, string[]]>([
    [{ owner: 'bob' }, ['owner']],
    [{ public: true }, ['public']],
    [{ organization: true }, ['organization']],
    [{ groups: ['ops'] }, ['groups']],
    [{ users: [] }, ['users']],
    [{ users: null }, ['users']],
    [{ users: ['ann '] }, ['users']],
    [{ users: ['ann', 'ann'] }, ['users']],
    [{ public: true, users: ['bob'], ref: 'next' }, ['public', 'users']],
    [{ public: true, git_provider: 'git-host-z' }, ['public']],
  ])('rejects %j on a personal layer', (patch, fields) => {
    expect(() => decideLayerPatch(PERSONAL, patch)).toThrow(
      expect.objectContaining({
        code: 'registry.invalid_argument',
        details: { constraint: 'immutable_visibility', fields },
      }),
    );
  });

  test('accepts unchanged visibility on a personal layer', () => {
    const restated = { owner: 'ann', public: false, groups: [], users: ['ann'], ref: 'next' };
    expect(changed(PERSONAL, restated).fields).toEqual(['ref']);
  });

  test('is idempotent', () => {
    fc.assert(
      fc.property(anyPatch, fc.constantFrom(SHARED, PERSONAL), (patch, stored) => {
        const { rotate_webhook_secret: _, ...lasting } = patch;
        let once: LayerRecord;
        try {
          const decision = decideLayerPatch(stored, lasting);
          once = decision.kind === 'changed' ? decision.layer : stored;
        } catch {
          return;
        }
        expect(decideLayerPatch(once, lasting)).toEqual({ kind: 'unchanged' });
        expect(once).toMatchObject({ id: stored.id, repo: stored.repo, source_type: 'git' });
      }),
    );
  });

  test('never changes owner and visibility of a personal layer', () => {
    fc.assert(
      fc.property(anyPatch, (patch) => {
        try {
          const decision = decideLayerPatch(PERSONAL, patch);
          const { owner, users, groups, ...rest } =
            decision.kind === 'changed' ? decision.layer : PERSONAL;
          expect([owner, users, groups, rest.public, rest.organization]).toEqual([
            'ann',
            ['ann'],
            null,
            false,
            false,
          ]);
        } catch (error) {
          expect(error).toMatchObject({ code: 'registry.invalid_argument' });
        }
      }),
    );
  });
});
