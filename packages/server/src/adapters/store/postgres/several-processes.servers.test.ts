import { setTimeout as delay } from 'node:timers/promises';
import {
  sampleEvent,
  sampleReport,
  sampleRequest,
  sampleTenant,
  T1,
  T2,
} from '@catalog/core/conformance/samples.conformance';
import type { ClaimedJob } from '@catalog/core/ports/jobs';
import type { Store } from '@catalog/core/ports/store';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EventStream } from '../../../registry/events/event-stream.ts';
import { waitForIngest } from '../../../registry/layers/wait-for-ingest.ts';
import { openPostgresStore } from './open-store.ts';

async function openStores(count: number): Promise<Store[]> {
  const { dsn } = await temporaryDatabase();
  const opening = Array.from({ length: count }, () => openPostgresStore({ dsn, pool_size: 4 }));
  const stores = await Promise.all(opening);
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });
  return stores;
}

function enqueue(store: Store, job: string, layer_id: string, tenant = 1) {
  const given = { job, layer_id, request: sampleRequest({ retry: [job] }), now: T1 };
  return store.transaction(({ jobs }) => jobs.enqueue(tenant, given));
}

function claim(store: Store): Promise<ClaimedJob | undefined> {
  return store.transaction(({ jobs }) => jobs.claim({ name: 'w', now: T1, lease_until: T2 }));
}

describe('jobs from several processes', () => {
  test('are merged into one job per layer with all requests', async () => {
    const stores = await openStores(2);
    const names = Array.from({ length: 12 }, (_, at) => `j${at}`);
    const records = await Promise.all(
      names.map((job, at) => enqueue(stores[at % 2] ?? fail(), job, 'a')),
    );
    expect(new Set(records.map(({ job }) => job)).size).toBe(1);
    const [store = fail()] = stores;
    const [waiting] = await store.jobs.list(1, 'a', 9);
    expect(waiting?.request.retry.toSorted()).toEqual(names.toSorted());
  });

  test('are claimed by one process each, and one at a time per layer', async () => {
    const stores = await openStores(3);
    const [store = fail()] = stores;
    await enqueue(store, 'a1', 'a');
    const first = await claim(store);
    await enqueue(store, 'a2', 'a');
    await store.transaction(({ jobs }) => jobs.release(1, 'a1', first?.fence ?? 0));
    for (const layer of ['b', 'c']) await enqueue(store, `${layer}1`, layer);
    await enqueue(store, 'other', 'a', 2);
    const claimed = await Promise.all(
      Array.from({ length: 12 }, (_, at) => claim(stores[at % 3] ?? fail())),
    );
    const layers = claimed.flatMap((job) =>
      job === undefined ? [] : [`${job.tenant}/${job.record.layer_id}`],
    );
    expect(layers.toSorted()).toEqual(['1/a', '1/b', '1/c', '2/a']);
  });

  test('can be awaited by a process that does not run them', async () => {
    const [here = fail(), there = fail()] = await openStores(2);
    await enqueue(there, 'j', 'a');
    const ended = waitForIngest(here, 1, 'j', AbortSignal.timeout(10_000));
    const claimed = await claim(there);
    const outcome = { kind: 'done', report: sampleReport('a') } as const;
    await there.transaction(({ jobs }) =>
      jobs.finish(1, 'j', claimed?.fence ?? 0, { outcome, now: T2 }),
    );
    expect(await ended).toMatchObject({ state: 'done', report: outcome.report });
  });
});

describe('tenants and grants changed by several processes', () => {
  test('are visible to the next read of another process', async () => {
    const [here = fail(), there = fail()] = await openStores(2);
    const { tenant } = await here.transaction(({ tenants }) => tenants.create(sampleTenant('a')));
    const record = (await there.tenants.get(tenant)) ?? fail();
    const grant = { user_id: 'bo', granted_at: T1, granted_by: 'ada' };
    const changes: [change: () => Promise<unknown>, seen: () => Promise<unknown>][] = [
      [
        () => here.transaction(({ grants }) => grants.grant(tenant, grant)),
        () => there.grants.isAdmin(tenant, 'bo'),
      ],
      [
        () => here.transaction(({ grants }) => grants.revoke(tenant, 'bo')),
        async () => !(await there.grants.isAdmin(tenant, 'bo')),
      ],
      [
        () => here.transaction(({ tenants }) => tenants.replace({ ...record, active: false })),
        async () => (await there.tenants.find('a'))?.active === false,
      ],
    ];
    for (const [change, seen] of changes) {
      const before = await there.layers.revision(tenant);
      await change();
      expect(await seen()).toBe(true);
      expect(await there.layers.revision(tenant)).toBeGreaterThan(before);
    }
  });

  test('are created once per name, with different numbers for different names', async () => {
    const stores = await openStores(3);
    const create = (store: Store, name: string) =>
      store.transaction(async ({ tenants }) => {
        const found = await tenants.find(name);
        return found === undefined ? tenants.create(sampleTenant(name)) : 'there already';
      });
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, at) => create(stores[at % 3] ?? fail(), `t${at % 2}`)),
    );
    const created = made.filter((tenant) => tenant !== 'there already');
    expect(created.map(({ name }) => name).toSorted()).toEqual(['t0', 't1']);
    expect(new Set(created.map(({ tenant }) => tenant))).toEqual(new Set([2, 3]));
    const [store = fail()] = stores;
    expect(await store.tenants.list()).toHaveLength(2);
  });

  test('can be changed while other processes lease quota, and vice versa', async () => {
    const [here = fail(), there = fail()] = await openStores(2);
    const bucket = { rate: 1e-6, burst: 50 };
    await here.transaction(async ({ grants }) => {
      await grants.grant(1, { user_id: 'bo', granted_at: T1, granted_by: 'ada' });
      const leases = await Promise.all(
        Array.from({ length: 30 }, (_, at) =>
          (at % 2 === 0 ? there : here).quota.lease(1, 'search', bucket, 2),
        ),
      );
      const tokens = leases.map((lease) => (lease.kind === 'granted' ? lease.tokens : 0));
      expect(tokens.reduce((sum, some) => sum + some, 0)).toBe(50);
    });
  });
});

const unit = fc.record({
  process: fc.nat({ max: 1 }),
  starts_ms: fc.nat({ max: 15 }),
  events: fc.integer({ min: 1, max: 3 }),
  commits_ms: fc.nat({ max: 12 }),
  fails: fc.constantFrom(false, false, false, true),
});
const units = fc.array(unit, { minLength: 4, maxLength: 24 });

describe('events from several processes', () => {
  test('arrive in order and without gaps in another process, regardless of the commit order', async () => {
    const [one = fail(), two = fail(), other = fail()] = await openStores(3);
    let tenant = 0;
    await fc.assert(
      fc.asyncProperty(units, async (steps) => {
        tenant += 1;
        const follower = follow(other, tenant);
        await Promise.all(
          steps.map((step) => runUnit(step.process === 0 ? one : two, tenant, step)),
        );
        const sequences = await follower.end();
        const { newest } = await one.outbox.bounds(tenant);
        expect(sequences).toEqual(Array.from({ length: newest }, (_, at) => at + 1));
        const committed = steps.filter(({ fails }) => !fails);
        expect(newest).toBe(committed.reduce((sum, { events }) => sum + events, 0));
      }),
      { numRuns: 15 },
    );
  });

  test('reach a subscriber exactly once when it moves between processes with its cursor', async () => {
    const [one = fail(), two = fail()] = await openStores(2);
    const streams = [new EventStream(one), new EventStream(two)];
    onTestFinished(() => {
      for (const stream of streams) stream.close();
    });
    const writes = Array.from({ length: 60 }, (_, at) =>
      runUnit(at % 2 === 0 ? one : two, 1, {
        starts_ms: at * 5,
        events: 1 + (at % 3),
        commits_ms: (at * 7) % 11,
        fails: at % 9 === 0,
      }),
    );
    const cursors: number[] = [];
    let hasEnded = false;
    const read = async (): Promise<void> => {
      for (let turn = 0; ; turn += 1) {
        const isLast = hasEnded;
        const since = String(cursors.at(-1) ?? 0);
        cursors.push(...(await readFor(streams[turn % 2] ?? fail(), since, isLast ? 1500 : 20)));
        if (isLast) return;
      }
    };
    const reading = read();
    await Promise.all(writes);
    hasEnded = true;
    await reading;
    const { newest } = await one.outbox.bounds(1);
    expect(newest).toBeGreaterThan(100);
    expect(cursors).toEqual(Array.from({ length: newest }, (_, at) => at + 1));
  });
});

type Unit = Omit<typeof unit extends fc.Arbitrary<infer Value> ? Value : never, 'process'>;

async function runUnit(store: Store, tenant: number, step: Unit): Promise<void> {
  await delay(step.starts_ms);
  const failure = new Error('not committed');
  const ended = store.transaction(async ({ outbox }) => {
    await outbox.append(
      tenant,
      Array.from({ length: step.events }, (_, at) => sampleEvent(`e${at}`)),
    );
    await delay(step.commits_ms);
    if (step.fails) throw failure;
  });
  if (step.fails) await expect(ended).rejects.toBe(failure);
  else await ended;
}

function follow({ outbox }: Store, tenant: number): { end(): Promise<number[]> } {
  const sequences: number[] = [];
  let hasEnded = false;
  async function read(): Promise<void> {
    for (;;) {
      const isLast = hasEnded;
      const page = await outbox.listAfter(tenant, sequences.at(-1) ?? 0, 5);
      sequences.push(...page.map(({ sequence }) => sequence));
      if (isLast && page.length === 0) return;
      await delay(1);
    }
  }
  const reading = read();
  return {
    end: async () => {
      hasEnded = true;
      await reading;
      return sequences;
    },
  };
}

async function readFor(
  stream: EventStream,
  since: string,
  milliseconds: number,
): Promise<number[]> {
  let text = '';
  const opened = await stream.open(1, { types: [], since });
  const subscription = opened.attach({
    write: (bytes) => {
      text += Buffer.from(bytes).toString();
      return true;
    },
    end: () => {},
  });
  await delay(milliseconds);
  subscription.close();
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => Number(JSON.parse(line).cursor));
}

function fail(): never {
  throw new Error('no such store');
}
