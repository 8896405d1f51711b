import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { describe, expect, test } from 'vitest';
import type { ClaimedJob, JobOutcome } from '../../ports/jobs.ts';
import type { Store } from '../../ports/store.ts';
import {
  openForTest,
  sampleLayer,
  sampleReport,
  sampleRequest,
  sampleTenant,
  T1,
  T2,
  T3,
  type OpenStore,
} from '../samples.conformance.ts';
import { jobMachineConformance } from './job-machine.conformance.ts';

const DONE: JobOutcome = { kind: 'done', report: sampleReport('a') };

export function jobsConformance(open: OpenStore): void {
  describe('jobs', () => {
    const enqueue = (store: Store, job: string, layer_id: string, request = sampleRequest()) =>
      store.transaction(({ jobs }) => jobs.enqueue(1, { job, layer_id, request, now: T1 }));
    const claim = (store: Store, now = T1, lease_until = T2): Promise<ClaimedJob | undefined> =>
      store.transaction(({ jobs }) => jobs.claim({ name: 'worker', now, lease_until }));

    test('move from queued to running to finished', async () => {
      const store = await openForTest(open);
      const request = sampleRequest({ full: true, retry: ['x'], trigger: 'register' });
      const queued = await enqueue(store, 'j1', 'a', request);
      expect(queued).toEqual({
        job: 'j1',
        layer_id: 'a',
        state: 'queued',
        request,
        progress: { phase: '', done: 0, total: 0 },
        attempts: 0,
        created_at: T1,
        started_at: null,
        finished_at: null,
        report: null,
        error: null,
      });
      expect(await store.jobs.get(1, 'j1')).toEqual(queued);
      expect(await store.jobs.depth()).toEqual({ queued: 1, running: 0, oldest_created_at: T1 });
      const claimed = await claim(store, T2, T3);
      expect(claimed).toMatchObject({
        tenant: 1,
        record: { ...queued, state: 'running', attempts: 1, started_at: T2 },
      });
      expect(await store.jobs.depth()).toEqual({ queued: 0, running: 1, oldest_created_at: null });
      const fence = claimed?.fence ?? 0;
      const progress = { phase: 'reading', done: 3, total: 9 };
      await store.transaction(async ({ jobs }) => {
        expect(await jobs.beat(1, 'j1', fence, { lease_until: T3, progress })).toBe(true);
        expect(await jobs.finish(1, 'j1', fence, { outcome: DONE, now: T3 })).toBe(true);
      });
      expect(await store.jobs.get(1, 'j1')).toMatchObject({
        state: 'done',
        progress,
        report: DONE.report,
        error: null,
        finished_at: T3,
      });
      expect(await claim(store)).toBeUndefined();
      expect(await store.jobs.get(2, 'j1')).toBeUndefined();
    });

    test('can fail with a reason', async () => {
      const store = await openForTest(open);
      await enqueue(store, 'j1', 'a');
      const { fence = 0 } = (await claim(store)) ?? {};
      const error = new CatalogError('ingest.source_unreachable', 'Gone.').toEnvelope();
      await store.transaction(({ jobs }) =>
        jobs.finish(1, 'j1', fence, { outcome: { kind: 'failed', error }, now: T2 }),
      );
      expect(await store.jobs.get(1, 'j1')).toMatchObject({ state: 'failed', error, report: null });
    });

    test('can be added as failed, unless another job of the layer is pending', async () => {
      const store = await openForTest(open);
      const error = new CatalogError('ingest.source_unreachable', 'Gone.').toEnvelope();
      const request = sampleRequest({ trigger: 'poll' });
      const addFailed = (job: string) =>
        store.transaction(({ jobs }) =>
          jobs.addFailed(1, { job, layer_id: 'a', request, error, now: T2 }),
        );
      await addFailed('j1');
      expect(await store.jobs.get(1, 'j1')).toEqual({
        job: 'j1',
        layer_id: 'a',
        state: 'failed',
        request,
        progress: { phase: '', done: 0, total: 0 },
        attempts: 0,
        created_at: T2,
        started_at: null,
        finished_at: T2,
        report: null,
        error,
      });
      expect(await store.jobs.list(2, 'a', 9)).toEqual([]);
      expect(await claim(store)).toBeUndefined();
      await enqueue(store, 'j2', 'a');
      await addFailed('j3');
      await claim(store);
      await addFailed('j4');
      const jobs = await store.jobs.list(1, 'a', 9);
      expect(jobs.map(({ job, state }) => [job, state])).toEqual([
        ['j2', 'running'],
        ['j1', 'failed'],
      ]);
    });

    test('are listed as failed until a newer job of their layer exists', async () => {
      const store = await openForTest(open);
      const error = new CatalogError('ingest.source_unreachable', 'Gone.').toEnvelope();
      const request = sampleRequest({ trigger: 'poll' });
      const addFailed = (job: string, layer_id: string, now: string) =>
        store.transaction(({ jobs }) => jobs.addFailed(1, { job, layer_id, request, error, now }));
      await addFailed('j1', 'a', T2);
      await addFailed('j2', 'a', T2);
      await addFailed('j3', 'b', T2);
      await addFailed('j4', 'c', T1);
      await addFailed('j5', 'd', T2);
      await enqueue(store, 'j6', 'b');
      const failed = await store.jobs.listFailed(1, T1);
      expect(failed.map(({ job, layer_id }) => [job, layer_id])).toEqual([
        ['j2', 'a'],
        ['j5', 'd'],
      ]);
      expect(failed[0]).toEqual(await store.jobs.get(1, 'j2'));
      expect(await store.jobs.listFailed(2, T1)).toEqual([]);
      expect(await store.jobs.listFailed(1, T2)).toEqual([]);
    });

    test('that failed are listed for active tenants', async () => {
      const store = await openForTest(open);
      const error = new CatalogError('ingest.source_unreachable', 'Gone.').toEnvelope();
      const request = sampleRequest({ trigger: 'poll' });
      await store.transaction(async ({ jobs, tenants }) => {
        await tenants.create(sampleTenant('inactive', { active: false }), 3);
        for (const [tenant, now] of [
          [1, T1],
          [2, T2],
          [3, T2],
        ] as const) {
          for (const layer_id of ['a', 'b']) {
            const job = `j-${tenant}-${layer_id}`;
            await jobs.addFailed(tenant, { job, layer_id, request, error, now });
          }
        }
        await jobs.enqueue(4, { job: 'j4', layer_id: 'a', request, now: T2 });
      });
      expect(await store.jobs.listFailedTenants(T1)).toEqual([2]);
      expect(await store.jobs.listFailedTenants('2000-01-01T00:00:00.000Z')).toEqual([1, 2]);
    });

    test('stay listed as failed if another tenant has a newer job of a layer with the same id', async () => {
      const store = await openForTest(open);
      const error = new CatalogError('ingest.source_unreachable', 'Gone.').toEnvelope();
      const request = sampleRequest({ trigger: 'poll' });
      for (const tenant of [1, 2]) {
        const failed = { job: `j${tenant}`, layer_id: 'a', request, error, now: T2 };
        await store.transaction(({ jobs }) => jobs.addFailed(tenant, failed));
      }
      for (const tenant of [1, 2]) {
        const failed = await store.jobs.listFailed(tenant, T1);
        expect(failed.map(({ job }) => job)).toEqual([`j${tenant}`]);
      }
    });

    test('are canceled with their layer, both queued and running', async () => {
      const store = await openForTest(open);
      await enqueue(store, 'j1', 'a');
      const { fence = 0 } = (await claim(store)) ?? {};
      await enqueue(store, 'j2', 'a');
      await enqueue(store, 'j3', 'b');
      const error = new CatalogError('registry.not_found', 'Gone.').toEnvelope();
      await store.transaction(({ jobs }) => jobs.cancel(1, 'a', { error, now: T2 }));
      const ended = { state: 'failed', error, finished_at: T2 };
      expect(await store.jobs.get(1, 'j1')).toMatchObject(ended);
      expect(await store.jobs.get(1, 'j2')).toMatchObject(ended);
      expect(await store.jobs.get(1, 'j3')).toMatchObject({ state: 'queued' });
      await store.transaction(async ({ jobs }) => {
        expect(await jobs.holds(1, 'j1', fence)).toBe(false);
        expect(await jobs.finish(1, 'j1', fence, { outcome: DONE, now: T3 })).toBe(false);
      });
      await store.transaction(({ jobs }) => jobs.cancel(1, 'a', { error, now: T3 }));
      expect(await store.jobs.get(1, 'j1')).toMatchObject({ finished_at: T2 });
      expect(await claim(store)).toMatchObject({ record: { job: 'j3' } });
      expect(await claim(store)).toBeUndefined();
    });

    test('keep lanes free for other owners', async () => {
      const store = await openForTest(open);
      const create = (id: string, owner: string, user_defined = true) =>
        store.transaction(({ layers }) =>
          layers.create(1, sampleLayer(id, { user_defined, owner })),
        );
      for (const id of ['a1', 'a2', 'a3']) await create(id, 'ann');
      await create('b1', 'bob');
      await create('shared1', 'ann', false);
      await create('shared2', 'ann', false);
      for (const id of ['a1', 'a2', 'a3', 'shared1', 'shared2', 'b1']) await enqueue(store, id, id);
      const lanes = { owner: 2, tenant: 9, personal: 9 };
      const next = async (name: string): Promise<string | undefined> => {
        const worker = { name, now: T1, lease_until: T2, lanes };
        const claimed = await store.transaction(({ jobs }) => jobs.claim(worker));
        return claimed?.record.job;
      };
      const claimed = [];
      for (const name of ['v', 'w', 'v', 'w', 'v', 'w']) claimed.push(await next(name));
      expect(claimed).toEqual(['a1', 'a2', 'shared1', 'shared2', 'b1', undefined]);
      await store.transaction(({ jobs }) => jobs.finish(1, 'a1', 1, { outcome: DONE, now: T2 }));
      expect(await next('v')).toBe('a3');
    });

    test('keep lanes of each worker free for organization layers', async () => {
      const store = await openForTest(open);
      for (const owner of ['ann', 'bob', 'cleo', 'dan']) {
        const layer = sampleLayer(owner, { user_defined: true, owner });
        await store.transaction(({ layers }) => layers.create(1, layer));
        await enqueue(store, owner, owner);
      }
      const lanes = { owner: 1, tenant: 9, personal: 2 };
      const next = async (name: string, now = T1): Promise<string | undefined> => {
        const worker = { name, now, lease_until: T2, lanes };
        const claimed = await store.transaction(({ jobs }) => jobs.claim(worker));
        return claimed?.record.job;
      };
      expect([await next('v'), await next('v'), await next('v')]).toEqual([
        'ann',
        'bob',
        undefined,
      ]);
      await store.transaction(({ layers }) => layers.create(1, sampleLayer('shared')));
      await enqueue(store, 'shared', 'shared');
      expect([await next('v'), await next('v'), await next('w')]).toEqual([
        'shared',
        undefined,
        'cleo',
      ]);
      await store.transaction(({ jobs }) => jobs.finish(1, 'ann', 1, { outcome: DONE, now: T2 }));
      expect([await next('v'), await next('v')]).toEqual(['dan', undefined]);
      // An expired lease occupies no lane.
      expect(await next('v', T3)).toBe('bob');
    });

    test('keep lanes of each worker free for other tenants', async () => {
      const store = await openForTest(open);
      for (const [tenant, job] of [
        [1, 'j1'],
        [1, 'j2'],
        [1, 'j3'],
        [2, 'k1'],
        [2, 'k2'],
      ] as const) {
        const wanted = { job, layer_id: job, request: sampleRequest(), now: T1 };
        await store.transaction(({ jobs }) => jobs.enqueue(tenant, wanted));
      }
      const next = async (name: string, now = T1): Promise<string | undefined> => {
        const worker = { name, now, lease_until: T2, lanes: { owner: 9, tenant: 1, personal: 9 } };
        const claimed = await store.transaction(({ jobs }) => jobs.claim(worker));
        return claimed?.record.job;
      };
      expect([await next('v'), await next('v'), await next('v')]).toEqual(['j1', 'k1', undefined]);
      expect([await next('w'), await next('w'), await next('w')]).toEqual(['j2', 'k2', undefined]);
      expect(await next('v', T3)).toBe('j1');
    });

    test('join the queued job of the layer, not the running one', async () => {
      const store = await openForTest(open);
      const webhook = sampleRequest({ retry: ['a'], trigger: 'webhook' });
      await enqueue(store, 'j1', 'a', webhook);
      const joined = await enqueue(
        store,
        'j2',
        'a',
        sampleRequest({ full: true, retry: ['b', 'a'], trigger: 'reingest' }),
      );
      expect(joined).toMatchObject({
        job: 'j1',
        request: { full: true, retry: ['a', 'b'], trigger: 'webhook' },
      });
      expect(await store.jobs.get(1, 'j2')).toBeUndefined();
      expect(await claim(store)).toMatchObject({ record: { job: 'j1' } });
      expect(await enqueue(store, 'j3', 'a')).toMatchObject({ job: 'j3', state: 'queued' });
      expect(await enqueue(store, 'j4', 'b')).toMatchObject({ job: 'j4' });
      const other = { job: 'j5', layer_id: 'a', request: sampleRequest(), now: T1 };
      expect(await store.transaction(({ jobs }) => jobs.enqueue(2, other))).toMatchObject({
        job: 'j5',
      });
    });

    test('are claimed by urgency, then fairly between tenants', async () => {
      const store = await openForTest(open);
      const triggers = ['start', 'poll', 'reingest', 'register', 'files', 'webhook'] as const;
      for (const trigger of triggers) {
        await enqueue(store, trigger, trigger, sampleRequest({ trigger }));
      }
      // A push comes before the other jobs of the startup, even if its layer was already queued.
      await enqueue(store, 'pushed', 'pushed', sampleRequest({ trigger: 'start' }));
      await enqueue(store, 'joins', 'pushed', sampleRequest({ trigger: 'webhook' }));
      const claimAll = async (): Promise<(string | undefined)[]> => {
        const claimed = [];
        for (let job = await claim(store); job !== undefined; job = await claim(store)) {
          claimed.push(job.record.job);
        }
        return claimed;
      };
      expect(await claimAll()).toEqual([
        'files',
        'webhook',
        'pushed',
        'reingest',
        'register',
        'start',
        'poll',
      ]);
      for (const [tenant, job, trigger] of [
        [2, 'j1', 'start'],
        [2, 'j2', 'start'],
        [2, 'j3', 'webhook'],
        [3, 'k1', 'start'],
        [3, 'k2', 'start'],
      ] as const) {
        const wanted = { job, layer_id: job, request: sampleRequest({ trigger }), now: T1 };
        await store.transaction(({ jobs }) => jobs.enqueue(tenant, wanted));
      }
      expect(await claimAll()).toEqual(['j3', 'k1', 'j1', 'k2', 'j2']);
    });

    test('run one at a time per layer, the oldest first', async () => {
      const store = await openForTest(open);
      await enqueue(store, 'a1', 'a');
      const first = await claim(store);
      await enqueue(store, 'a2', 'a');
      await enqueue(store, 'b1', 'b');
      await enqueue(store, 'c1', 'c');
      expect(await claim(store)).toMatchObject({ record: { job: 'b1' } });
      expect(await claim(store)).toMatchObject({ record: { job: 'c1' } });
      expect(await claim(store)).toBeUndefined();
      await store.transaction(({ jobs }) =>
        jobs.finish(1, 'a1', first?.fence ?? 0, { outcome: DONE, now: T2 }),
      );
      expect(await claim(store)).toMatchObject({ record: { job: 'a2' } });
    });

    test('change hands after their lease expires, and the old holder is fenced off', async () => {
      const store = await openForTest(open);
      await enqueue(store, 'j1', 'a');
      const old = await claim(store, T1, T2);
      expect(await claim(store, T1, T3)).toBeUndefined();
      const taken = await claim(store, T2, T3);
      expect(taken).toMatchObject({ record: { job: 'j1', attempts: 2, state: 'running' } });
      const [before = 0, after = 0] = [old?.fence, taken?.fence];
      expect(after).toBeGreaterThan(before);
      const progress = { phase: 'late', done: 0, total: 0 };
      await store.transaction(async ({ jobs }) => {
        expect(await jobs.beat(1, 'j1', before, { lease_until: T3, progress })).toBe(false);
        expect(await jobs.finish(1, 'j1', before, { outcome: DONE, now: T3 })).toBe(false);
        expect(await jobs.release(1, 'j1', before)).toBe(false);
      });
      expect(await store.jobs.get(1, 'j1')).toMatchObject({ state: 'running', report: null });
      await store.transaction(async ({ jobs }) => {
        expect(await jobs.finish(2, 'j1', after, { outcome: DONE, now: T3 })).toBe(false);
        expect(await jobs.finish(1, 'j1', after, { outcome: DONE, now: T3 })).toBe(true);
        expect(await jobs.finish(1, 'j1', after, { outcome: DONE, now: T3 })).toBe(false);
      });
    });

    test('are held until the transaction that called `holds` ends', async () => {
      const store = await openForTest(open);
      await enqueue(store, 'j1', 'a');
      const { fence: old = 0 } = (await claim(store, T1, T2)) ?? {};
      const held = Promise.withResolvers<void>();
      let isEnding = false;
      const step = store.transaction(async ({ jobs }) => {
        expect(await jobs.holds(1, 'j1', old)).toBe(true);
        expect(await jobs.holds(1, 'j1', old + 1)).toBe(false);
        expect(await jobs.holds(2, 'j1', old)).toBe(false);
        held.resolve();
        await new Promise((resolve) => setTimeout(resolve, 50));
        isEnding = true;
      });
      await held.promise;
      const claims = [1, 2].map(async () => {
        const claimed = await claim(store, T2, T3);
        if (claimed !== undefined) expect(isEnding).toBe(true);
        return claimed;
      });
      await step;
      const claimed = [...(await Promise.all(claims)), await claim(store, T2, T3)];
      expect(claimed.filter((job) => job !== undefined)).toHaveLength(1);
      await store.transaction(async ({ jobs }) => {
        expect(await jobs.holds(1, 'j1', old)).toBe(false);
        expect(await jobs.holds(1, 'j1', old + 1)).toBe(true);
      });
    });

    test('keep their lease while the worker sends heartbeats', async () => {
      const store = await openForTest(open);
      await enqueue(store, 'j1', 'a');
      const { fence = 0 } = (await claim(store, T1, T2)) ?? {};
      const progress = { phase: '', done: 1, total: 2 };
      await store.transaction(({ jobs }) =>
        jobs.beat(1, 'j1', fence, { lease_until: T3, progress }),
      );
      expect(await claim(store, T2, T3)).toBeUndefined();
    });

    test('can be claimed immediately if their worker is known to be gone', async () => {
      const store = await openForTest(open);
      await enqueue(store, 'j1', 'a');
      await enqueue(store, 'j2', 'b');
      const other = { job: 'j3', layer_id: 'a', request: sampleRequest(), now: T1 };
      await store.transaction(({ jobs }) => jobs.enqueue(2, other));
      for (const name of ['stays', 'goes', 'goes']) {
        await store.transaction(({ jobs }) => jobs.claim({ name, now: T1, lease_until: T3 }));
      }
      expect((await store.jobs.listWorkers()).toSorted()).toEqual(['goes', 'stays']);
      await store.transaction(({ jobs }) => jobs.endLeases('goes'));
      const claimed = [await claim(store, T1, T3), await claim(store, T1, T3)];
      expect(claimed.map((job) => job?.record.job)).toEqual(['j2', 'j3']);
      expect(await claim(store, T1, T3)).toBeUndefined();
      expect((await store.jobs.listWorkers()).toSorted()).toEqual(['stays', 'worker']);
    });

    test('return to the queue if released', async () => {
      const store = await openForTest(open);
      await enqueue(store, 'j1', 'a');
      const { fence = 0 } = (await claim(store)) ?? {};
      await enqueue(store, 'j2', 'a');
      await store.transaction(async ({ jobs }) => {
        expect(await jobs.release(1, 'j1', fence)).toBe(true);
      });
      expect(await store.jobs.get(1, 'j1')).toMatchObject({ state: 'queued', started_at: null });
      const again = await claim(store);
      expect(again).toMatchObject({ record: { job: 'j1' } });
      expect(again?.fence).toBeGreaterThan(fence);
    });

    test('are listed newest first', async () => {
      const store = await openForTest(open);
      for (const [job, layer] of [
        ['a1', 'a'],
        ['b1', 'b'],
        ['c1', 'c'],
      ] as const) {
        await enqueue(store, job, layer);
      }
      const names = async (layer_id: string, limit: number): Promise<string[]> =>
        (await store.jobs.list(1, layer_id, limit)).map(({ job }) => job);
      expect(await names('', 9)).toEqual(['c1', 'b1', 'a1']);
      expect(await names('', 2)).toEqual(['c1', 'b1']);
      expect(await names('b', 9)).toEqual(['b1']);
      expect(await store.jobs.list(2, '', 9)).toEqual([]);
    });

    test('are pruned except for the newest of each layer', async () => {
      const store = await openForTest(open);
      for (const job of ['a1', 'a2', 'a3', 'b1']) {
        await enqueue(store, job, job.slice(0, 1));
        const { fence = 0 } = (await claim(store)) ?? {};
        await store.transaction(({ jobs }) =>
          jobs.finish(1, job, fence, { outcome: DONE, now: T2 }),
        );
      }
      await enqueue(store, 'a4', 'a');
      await store.transaction(({ jobs }) => jobs.prune(2, 0));
      await store.transaction(({ jobs }) => jobs.prune(1, 2));
      const left = (await store.jobs.list(1, '', 9)).map(({ job }) => job);
      expect(left).toEqual(['a4', 'b1', 'a3', 'a2']);
    });
  });
  jobMachineConformance(open);
}
