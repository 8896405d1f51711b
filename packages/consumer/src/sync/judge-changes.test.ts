import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { VersionList } from '@catalog/contract/records/artifact';
import { describe, expect, test } from 'vitest';
import type { ListVersions } from '../source/catalog-source.ts';
import type { UnexpectedChange } from './find-unexpected-changes.ts';
import { judgeChanges } from './judge-changes.ts';

type Entry = VersionList['versions'][number];

function change(kind: UnexpectedChange['kind'], id = 'ops/check'): UnexpectedChange {
  return {
    kind,
    id,
    layer: 'base',
    locked: kind === 'rewritten' ? '1.0.0' : '2.0.0',
    locked_hash: 'a',
    available: '1.0.0',
    available_hash: 'b',
  };
}

function entry(version: string, given: Partial<Entry> = {}): Entry {
  return {
    version,
    layer: 'base',
    content_hash: 'a',
    deprecated: false,
    withdrawn: false,
    latest: false,
    ingested_at: '2026-01-01T00:00:00Z',
    ...given,
  };
}

function createVersionList(...versions: Entry[]): ListVersions & { asked: string[] } {
  const queried: string[] = [];
  const list = (id: string): Promise<Entry[]> => {
    queried.push(id);
    return Promise.resolve(versions);
  };
  return Object.assign(list, { asked: queried });
}

const never: ListVersions = () => Promise.reject(new Error('unexpected request'));

describe('judgeChanges with rewritten content', () => {
  test('refuses the content unless its id is accepted, without a request', async () => {
    const changes = [change('rewritten', 'a/one'), change('rewritten', 'a/two')];
    const options = { accept_changed: ['a/two'], allow_downgrade: true, listVersions: never };
    expect(await judgeChanges(changes, options)).toEqual({
      refused: [changes[0]],
      accepted: [changes[1]],
    });
  });
});

describe('judgeChanges with a downgrade', () => {
  test.each<[string, Entry[], string, 'accepted' | 'refused']>([
    ['of a version that is still there', [entry('2.0.0')], 'listed', 'refused'],
    ['of a deprecated one', [entry('2.0.0', { deprecated: true })], 'deprecated', 'accepted'],
    ['of a rolled back one', [entry('2.0.0', { rolled_back: true })], 'rolled_back', 'accepted'],
    ['of a withdrawn one', [entry('2.0.0', { withdrawn: true })], 'withdrawn', 'accepted'],
    ['of one that is gone', [entry('1.0.0')], 'absent', 'accepted'],
    [
      'of one that only another layer has',
      [entry('2.0.0', { layer: 'team' }), entry('1.0.0')],
      'absent',
      'accepted',
    ],
    [
      'of one that another layer deprecated',
      [entry('2.0.0', { layer: 'team', deprecated: true }), entry('2.0.0')],
      'listed',
      'refused',
    ],
    ['of a build of it', [entry('2.0.0+linux')], 'listed', 'refused'],
  ])('judges a downgrade %s by its status', async (_, versions, locked_status, outcome) => {
    const listVersions = createVersionList(...versions);
    const judged = await judgeChanges([change('downgrade')], { listVersions });
    expect(judged[outcome]).toEqual([{ ...change('downgrade'), locked_status }]);
    expect(judged.accepted.length + judged.refused.length).toBe(1);
    expect(listVersions.asked).toEqual(['ops/check']);
  });

  test('accepts the downgrade with --allow-downgrade, without a request', async () => {
    const options = { allow_downgrade: true, listVersions: never };
    expect(await judgeChanges([change('downgrade')], options)).toEqual({
      accepted: [change('downgrade')],
      refused: [],
    });
  });

  test('does not accept the downgrade with --accept-changed', async () => {
    const listVersions = createVersionList(entry('2.0.0'));
    const options = { accept_changed: ['ops/check'], listVersions };
    expect((await judgeChanges([change('downgrade')], options)).accepted).toEqual([]);
  });

  test('refuses the downgrade if the request fails', async () => {
    const unreachable = new CatalogError('network.registry_unreachable', 'It is down.');
    for (const listVersions of [() => Promise.reject(unreachable), undefined]) {
      const judged = await judgeChanges([change('downgrade')], { listVersions });
      expect(judged.refused).toEqual([{ ...change('downgrade'), locked_status: 'unknown' }]);
    }
  });

  test('throws the abort reason if the run was canceled', async () => {
    const signal = AbortSignal.abort(new Error('canceled'));
    const listVersions = (): Promise<never> =>
      Promise.reject(new CatalogError('network.registry_unreachable', 'It is down.'));
    await expect(judgeChanges([change('downgrade')], { listVersions }, signal)).rejects.toThrow(
      'canceled',
    );
  });

  test('rethrows an internal error instead of treating it as a network failure', async () => {
    await expect(judgeChanges([change('downgrade')], { listVersions: never })).rejects.toThrow(
      'unexpected request',
    );
  });
});
