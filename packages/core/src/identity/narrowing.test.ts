import { describe, expect, test } from 'vitest';
import type { LoadGrant } from './load-grants.ts';
import { narrow, partsWithin } from './narrowing.ts';

function grant(text: string): LoadGrant {
  const [kind = '', rest = ''] = text.split(':');
  const [place = '', pin = ''] = rest.split('@');
  const subtree = place === '*' || place.endsWith('/*');
  const path = place === '*' ? '' : place.replace(/\/\*$/, '');
  return { kind: kind === 'load' ? 'load' : 'read', path, subtree, pin };
}
const of = (...texts: string[]) => narrow(texts.map(grant));

describe('narrow', () => {
  test('allows the granted artifact or everything below a path only', () => {
    const { discovers } = of('read:ops/check', 'load:web/*');
    const ids = ['ops/check', 'ops/check/more', 'ops', 'web', 'web/a', 'web/a/b', 'webs/a', ''];
    expect(ids.filter(discovers)).toEqual(['ops/check', 'web/a', 'web/a/b']);
  });

  test('allows everything for the grant `*`', () => {
    const { discovers, holds, loads } = of('load:*');
    expect(discovers('a') && discovers('a/b') && holds('') && holds('a')).toBe(true);
    expect(loads('a/b', '1.0.0')).toBe(true);
  });

  test('allows nothing without grants', () => {
    const { discovers, loads, holds, leadsOn } = narrow([]);
    expect([discovers('a'), loads('a', '1.0.0'), holds(''), leadsOn('')]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test('allows loading only through load grants, for the versions they name', () => {
    const { discovers, loads } = of(
      'read:*',
      'load:a@1.2.3',
      'load:b@1.x',
      'load:c@1.2.*',
      'load:d@2',
    );
    expect(discovers('z') && !loads('z', '1.0.0')).toBe(true);
    const cases = [
      'a 1.2.3',
      'a 1.2.4',
      'a 1.2.3-rc.1',
      'b 1.9.0',
      'b 2.0.0',
      'c 1.2.9-rc.1',
      'c 1.3.0',
      'd 2.1.0',
      'd 20.0.0',
    ];
    expect(
      cases.filter((one) => {
        const [id = '', version = ''] = one.split(' ');
        return loads(id, version);
      }),
    ).toEqual(['a 1.2.3', 'b 1.9.0', 'c 1.2.9-rc.1', 'd 2.1.0']);
  });

  test('distinguishes domains inside, above and outside of the grants', () => {
    const { holds, leadsOn } = of('load:ops/deploy/*', 'load:web/page');
    const domains = ['', 'ops', 'ops/deploy', 'ops/deploy/eu', 'web', 'web/page', 'ops/other'];
    expect(domains.filter(holds)).toEqual(['ops/deploy', 'ops/deploy/eu']);
    expect(domains.filter(leadsOn)).toEqual(['', 'ops', 'web']);
  });

  test('returns parts without overlap, limited to the requested scope', () => {
    const { parts } = of('load:a/b', 'load:a/*', 'read:a/b/*', 'load:c', 'load:a/*');
    expect(parts).toEqual([
      { path: 'a', subtree: true },
      { path: 'c', subtree: false },
    ]);
    expect(partsWithin(parts, '')).toEqual(parts);
    expect(partsWithin(parts, 'a/b')).toEqual([
      { path: 'a/b', subtree: false },
      { path: 'a/b', subtree: true },
    ]);
    expect(partsWithin(parts, 'c')).toEqual([{ path: 'c', subtree: false }]);
    expect(partsWithin(parts, 'd')).toEqual([]);
  });
});
