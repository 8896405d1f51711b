import { describe, expect, test } from 'vitest';
import { artifactHref, decodePath, domainHref, searchHref } from '../app/links.ts';
import {
  checkDraft,
  EMPTY_DRAFT,
  mustRegisterAgain,
  toBody,
  toDraft,
  toUpdate,
} from '../pages/layers/layer-draft.ts';
import { toArtifactId } from '../pages/artifact/content-text.tsx';
import { hasIngestedSince } from '../pages/layers/use-layer-change.ts';
import { countOf, shortHash, shortReference } from './format.ts';
import { markWords } from './highlighted.tsx';
import { formatRelative } from './relative-time.tsx';
import { visibilityOf, whyVisible } from './visibility.ts';

const LAYER = {
  public: false,
  organization: false,
  groups: null,
  users: null,
  user_defined: false,
  owner: '',
};

test('links encode each segment and omit empty values', () => {
  expect(artifactHref('ops/a b', { tab: 'files', file: 'x/y.md', version: '' })).toBe(
    '/artifacts/ops/a%20b?tab=files&file=x%2Fy.md',
  );
  expect(artifactHref('ops/a', { tab: 'overview' })).toBe('/artifacts/ops/a');
  expect(domainHref('')).toBe('/browse');
  expect(searchHref({ q: 'a&b', tag: '' })).toBe('/search?q=a%26b');
  expect(decodePath('ops/a%20b/100%')).toBe('ops/a b/100%');
  expect(decodePath('ops/...')).toBe('ops/...');
});

test.each(['..', 'ops/../..', '..%2F..%2Fv1', 'ops/%2e/a'])(
  'decodePath returns undefined for %s',
  (path) => {
    expect(decodePath(path)).toBeUndefined();
  },
);

test('formatRelative uses the largest unit that fits', () => {
  const now = Date.parse('2026-11-17T12:00:00Z');
  const ago = (seconds: number): string => formatRelative(now - seconds * 1000, now);
  expect([ago(5), ago(120), ago(86_400), ago(3 * 86_400), ago(14 * 86_400)]).toEqual([
    'just now',
    '2 minutes ago',
    'yesterday',
    '3 days ago',
    '2 weeks ago',
  ]);
});

test('counts, hashes and references have a short form', () => {
  expect([countOf(1, 'file'), countOf(1204, 'file')]).toEqual(['1 file', '1,204 files']);
  expect(shortHash(`sha256:${'0123456789abcdef'.repeat(4)}`)).toBe('sha256:01234567…cdef');
  expect([shortReference('f'.repeat(40)), shortReference('v3')]).toEqual(['ffffffff', 'v3']);
});

test('markWords marks every form of a word and ignores parts of other words', () => {
  const marked = (text: string, terms: string[]): string[] =>
    markWords(text, terms)
      .filter(({ isMatch }) => isMatch)
      .map(({ text: word }) => word);
  expect(marked('Deploying releases, release by release.', ['releas', 'deploy'])).toEqual([
    'Deploying',
    'releases',
    'release',
    'release',
  ]);
  expect(marked('Go to gothic going', ['go'])).toEqual(['Go']);
  expect(marked('A kubernetes cluster', ['kubernetes (kubern)'])).toEqual(['kubernetes']);
});

describe('visibility', () => {
  test('visibilityOf summarizes who can see a layer', () => {
    expect(visibilityOf({ ...LAYER, public: true })).toBe('everyone');
    expect(visibilityOf({ ...LAYER, groups: ['a', 'b'], users: ['c'] })).toBe(
      'groups a, b, user c',
    );
    expect(visibilityOf({ ...LAYER, user_defined: true, owner: 'alice' })).toBe('only alice');
  });

  test('whyVisible explains why the caller sees a layer', () => {
    expect(whyVisible({ ...LAYER, organization: true }, 'alice', false)).toMatch(/signed-in user/);
    expect(
      whyVisible({ ...LAYER, groups: ['ops', 'data'], matched_groups: ['data'] }, 'alice', false),
    ).toBe('You are a member of the group data.');
    expect(whyVisible({ ...LAYER, groups: ['ops'], matched_groups: [] }, 'root', false)).toMatch(
      /^Administrators/,
    );
    expect(whyVisible({ ...LAYER, users: ['alice'] }, 'alice', false)).toBe('The layer names you.');
    expect(whyVisible(LAYER, undefined, true)).toMatch(/does not authenticate/);
  });
});

describe('layer draft', () => {
  test('checkDraft reports missing fields', () => {
    expect(Object.keys(checkDraft(EMPTY_DRAFT))).toEqual(['id', 'repo']);
    const groups = {
      ...EMPTY_DRAFT,
      id: 'a',
      repo: 'r',
      audience: 'groups',
      groups: ' , ',
    } as const;
    expect(Object.keys(checkDraft(groups))).toEqual(['groups']);
  });

  test('toBody contains only the chosen source and audience', () => {
    const draft = { ...EMPTY_DRAFT, id: 'a', repo: ' https://x.test/r ', local_path: '/ignored' };
    expect(toBody({ ...draft, audience: 'users', users: 'a, b' })).toEqual({
      id: 'a',
      source_type: 'git',
      repo: 'https://x.test/r',
      git_provider: 'git-host-a',
      users: ['a', 'b'],
    });
  });

  const LAYER_OF_FORM = {
    ...LAYER,
    id: 'a',
    source_type: 'git',
    repo: 'https://x.test/r',
    ref: 'main',
    root: '',
    local_path: '',
    git_provider: 'git-host-a',
    order: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    deleted_at: null,
  } as const;

  test('toUpdate keeps an audience that the draft does not show until the user chooses another', () => {
    const layer = { ...LAYER_OF_FORM, organization: true, groups: ['ops'] };
    expect(toUpdate(toDraft(layer), layer)).toMatchObject({ organization: true, groups: ['ops'] });
    const draft = { ...toDraft(layer), audience: 'public' } as const;
    expect(toUpdate(draft, layer)).toMatchObject({ public: true, organization: false, groups: [] });
  });

  test('mustRegisterAgain returns true only if an update cannot apply the draft', () => {
    const draft = toDraft(LAYER_OF_FORM);
    expect(mustRegisterAgain({ ...draft, ref: 'next', root: 'x' }, LAYER_OF_FORM)).toBe(false);
    expect(mustRegisterAgain({ ...draft, ref: '' }, LAYER_OF_FORM)).toBe(true);
    expect(mustRegisterAgain({ ...draft, repo: 'https://x.test/s' }, LAYER_OF_FORM)).toBe(true);
  });
});

test('hasIngestedSince returns true only if the latest ingest started after last_ingested_at', () => {
  const layer = { id: 'a', last_ingested_at: '2026-01-01T00:00:05.000Z' };
  const job = { layer: 'a', state: 'done', started_at: '2026-01-01T00:00:06.000Z' } as const;
  expect(hasIngestedSince(layer, [job])).toBe(true);
  expect(hasIngestedSince({ id: 'a' }, [job])).toBe(true);
  const earlier = { ...job, started_at: '2026-01-01T00:00:04.000Z' };
  expect(hasIngestedSince(layer, [earlier])).toBe(false);
  expect(hasIngestedSince(layer, [{ ...job, state: 'failed' }, job])).toBe(false);
  expect(hasIngestedSince(layer, [{ ...job, layer: 'b' }])).toBe(false);
});

test.each([
  ['ops/deploy/check', 'ops/deploy/check'],
  ['ops/deploy/check@1.2.x', 'ops/deploy/check'],
  ['ops/deploy/check#steps', 'ops/deploy/check'],
  ['references/policy.md', undefined],
  ['../other/SKILL.md', undefined],
  ['check', undefined],
])('toArtifactId(%s) returns %s', (href, id) => {
  expect(toArtifactId(href)).toBe(id);
});
