import type { Caller } from '@catalog/core/identity/caller';
import { describe, expect, test } from 'vitest';
import type { AuditedVersion } from './audited-version.ts';
import { createReadLog, MAX_HELD, type ReadLogOptions } from './read-log.ts';

const AUDITED: AuditedVersion = {
  artifact: 'ops/deploy',
  version: '1.0.0',
  layer: 'base',
  name: 'deploy',
  tags: [],
  is_sensitive: false,
};
const SENSITIVE = { ...AUDITED, is_sensitive: true };
function artifact(id = 'ops/deploy', version = '1.0.0') {
  return { layer: { number: 1 }, id, version };
}

function caller(subject: string) {
  return { tenant: 1, caller: { kind: 'subject', subject, groups: [] } satisfies Caller };
}

function open(given: Partial<ReadLogOptions> = {}) {
  let now = Date.UTC(2026, 0, 1, 23, 58, 30);
  const log = createReadLog({
    reads: 'all',
    queries: false,
    counts: true,
    public_mode: false,
    redactQuery: (query) => query.toUpperCase(),
    now: () => new Date(now),
    ...given,
  });
  const advance = (ms: number): void => {
    now += ms;
    log.roll();
  };
  return { log, advance };
}

describe('read log of a process', () => {
  test('has one record per subject, version and minute, and counts every use', () => {
    const { log, advance } = open();
    for (const who of ['ada', 'ada', 'bob']) {
      log.noteVersion(caller(who), artifact(), AUDITED, 'loads');
    }
    log.noteVersion(caller('ada'), artifact('ops/deploy', '2.0.0'), AUDITED, 'syncs');
    const [first] = log.take();
    expect(first?.records.map(({ subject }) => subject)).toEqual(['ada', 'bob', 'ada']);
    expect(first?.counts).toMatchObject([
      { version: '1.0.0', day: '2026-01-01', loads: 3, syncs: 0 },
      { version: '2.0.0', loads: 0, syncs: 1 },
    ]);
    expect(log.take()).toEqual([]);
    log.noteVersion(caller('ada'), artifact(), AUDITED, 'loads');
    expect(log.take()).toMatchObject([{ records: [], counts: [{ loads: 1 }] }]);
    advance(60_000);
    log.noteVersion(caller('ada'), artifact(), AUDITED, 'loads');
    expect(log.take()).toMatchObject([{ records: [{ minute: '2026-01-01T23:59:00.000Z' }] }]);
  });

  test('counts the uses before midnight for the day on which they happened', () => {
    const { log, advance } = open();
    log.noteVersion(caller('ada'), artifact(), AUDITED, 'loads');
    advance(120_000);
    log.noteVersion(caller('ada'), artifact(), AUDITED, 'loads');
    const [batch] = log.take();
    expect(batch?.counts.map(({ day, loads }) => [day, loads])).toEqual([
      ['2026-01-01', 1],
      ['2026-01-02', 1],
    ]);
  });

  test('records what the settings select, and always refused requests', () => {
    const noteAll = (given: Partial<ReadLogOptions>) => {
      const { log } = open(given);
      log.noteVersion(caller('ada'), artifact('a'), AUDITED, 'loads');
      log.noteVersion(caller('ada'), artifact('b'), SENSITIVE, 'loads');
      log.noteManifest(caller('ada'));
      log.noteSearch(caller('ada'), 'query');
      for (let times = 0; times < 3; times += 1) log.noteRefusal(caller('eve'), 'grant_admin');
      const [batch] = log.take();
      return {
        types: batch?.records.map(({ type }) => type),
        details: batch?.records.flatMap(({ detail }) => (detail === '' ? [] : detail)),
        counts: batch?.counts.length,
      };
    };
    const [load, sync, refusal] = ['artifact.loaded', 'manifest.synced', 'request.refused'];
    expect(noteAll({})).toEqual({
      types: [load, load, sync, refusal],
      details: ['grant_admin'],
      counts: 2,
    });
    expect(noteAll({ reads: 'sensitive' })).toMatchObject({ types: [load, refusal], counts: 2 });
    expect(noteAll({ reads: 'none' })).toMatchObject({ types: [refusal], counts: 2 });
    expect(noteAll({ counts: false })).toMatchObject({ counts: 0 });
    expect(noteAll({ queries: true })).toMatchObject({ details: ['QUERY', 'grant_admin'] });
  });

  test('holds a limited number of reads while none can be stored, and counts the others', () => {
    const { log } = open({ counts: false });
    for (let user = 0; user < MAX_HELD + 5; user += 1) log.noteManifest(caller(`user ${user}`));
    const [batch] = log.take();
    if (batch === undefined) throw new Error('no batch');
    expect(batch.records).toHaveLength(MAX_HELD);
    for (let user = 0; user < 7; user += 1) log.noteManifest(caller(`later ${user}`));
    log.restore(batch);
    expect(log.size()).toBe(MAX_HELD);
    expect(log.takeLost()).toEqual({ count: 12, since: '2026-01-01T23:58:00.000Z' });
    expect(log.takeLost()).toBeUndefined();
  });

  test('reports a full batch before its second is over', () => {
    const { log } = open({ counts: false });
    let full = 0;
    log.onFull(() => {
      full += 1;
      log.take();
    });
    for (let user = 0; user < 2500; user += 1) log.noteManifest(caller(`user ${user}`));
    expect(full).toBe(2);
  });
});
