import { describe, expect, test } from 'vitest';
import { compileScope, type Scope } from './scope-filter.ts';

const VIEW = [
  { id: 'ops', type: 'context' },
  { id: 'ops/check', type: 'skill' },
  { id: 'ops/deploy/ship', type: 'command' },
  { id: 'shared/terms', type: 'context' },
];

const SCOPES: readonly (readonly [why: string, scope: Partial<Scope>, ids: readonly string[]])[] = [
  ['nothing set is everything', {}, ['ops', 'ops/check', 'ops/deploy/ship', 'shared/terms']],
  [
    'a trailing ** needs one more segment',
    { include: ['ops/**'] },
    ['ops/check', 'ops/deploy/ship'],
  ],
  ['any include is enough', { include: ['ops', 'shared/*'] }, ['ops', 'shared/terms']],
  [
    'exclude comes after include',
    { include: ['ops/**'], exclude: ['ops/check'] },
    ['ops/deploy/ship'],
  ],
  ['exclude alone takes away from everything', { exclude: ['ops/**', 'ops'] }, ['shared/terms']],
  ['type narrows', { type: ['context'] }, ['ops', 'shared/terms']],
  ['several types', { type: ['skill', 'command'] }, ['ops/check', 'ops/deploy/ship']],
  ['type and include together', { include: ['ops/**'], type: ['context'] }, []],
  ['an include that matches nothing', { include: ['nowhere/**'] }, []],
];

describe('compileScope', () => {
  test.each(SCOPES)('selects %s', (_, scope, ids) => {
    const isWanted = compileScope({ include: [], exclude: [], type: [], ...scope });
    expect(VIEW.filter(isWanted).map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    [{ include: ['ops/{a'] }, 'ops/{a'],
    [{ include: ['ops/**'], exclude: ['[z-a]'] }, '[z-a]'],
  ])(
    'rejects %j, which would select other artifacts than intended',
    (scope: Partial<Scope>, pattern) => {
      const run = (): unknown => compileScope({ include: [], exclude: [], type: [], ...scope });
      expect(run).toThrow(
        expect.objectContaining({ code: 'config.invalid', details: { value: pattern } }),
      );
      expect(run).toThrow(pattern);
    },
  );
});
