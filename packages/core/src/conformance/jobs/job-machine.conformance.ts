import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClaimedJob } from '../../ports/jobs.ts';
import type { Store } from '../../ports/store.ts';
import type { Tenant } from '../../ports/tenant.ts';
import {
  openForTest,
  sampleReport,
  sampleRequest,
  type OpenStore,
} from '../samples.conformance.ts';

type Step =
  | { kind: 'enqueue'; layer: string }
  | { kind: 'claim' }
  | { kind: 'beat' | 'finish' | 'release'; pick: number }
  | { kind: 'wait'; minutes: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('enqueue' as const), layer: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ kind: fc.constant('claim' as const) }),
  fc.record({
    kind: fc.constantFrom('beat' as const, 'finish' as const, 'release' as const),
    pick: fc.nat({ max: 20 }),
  }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 3 }) }),
);

const LEASE_MINUTES = 2;

interface Model {
  job: string;
  layer: string;
  state: 'queued' | 'running' | 'done';
  fence: number;
  lease: number;
}

export function jobMachineConformance(open: OpenStore): void {
  test('jobs match a simple model after any history', async () => {
    const store = await openForTest(open);
    let tenant = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        tenant += 1;
        const run = createRun(store, tenant);
        for (const each of steps) await run(each);
        await endAll(store);
      }),
      { numRuns: 60 },
    );
  });
}

/** Claims span all tenants, so open jobs of one history must not affect the next. */
async function endAll(store: Store): Promise<void> {
  const late = { now: '2999-01-01T00:00:00.000Z', lease_until: '2999-01-01T00:00:00.000Z' };
  for (;;) {
    const isLast = await store.transaction(async ({ jobs }) => {
      const claimed = await jobs.claim({ name: 'last', ...late });
      if (claimed === undefined) return true;
      const { tenant, record, fence } = claimed;
      const outcome = { kind: 'done', report: sampleReport(record.layer_id) } as const;
      await jobs.finish(tenant, record.job, fence, { outcome, now: late.now });
      return false;
    });
    if (isLast) return;
  }
}

function createRun(store: Store, tenant: Tenant): (step: Step) => Promise<void> {
  const model: Model[] = [];
  const claims: ClaimedJob[] = [];
  let minutes = 0;
  const time = (offset = 0): string => new Date((minutes + offset) * 60_000).toISOString();

  function next(): Model | undefined {
    return model.find(({ state, lease, layer }) => {
      if (state === 'running') return lease <= minutes;
      return (
        state === 'queued' &&
        !model.some((other) => other.layer === layer && other.state === 'running')
      );
    });
  }

  async function enqueue(layer: string): Promise<void> {
    const job = `job ${model.length}`;
    const given = { job, layer_id: layer, request: sampleRequest(), now: time() };
    const record = await store.transaction(({ jobs }) => jobs.enqueue(tenant, given));
    const waiting = model.filter((other) => other.layer === layer && other.state === 'queued');
    if (waiting.length === 0) model.push({ job, layer, state: 'queued', fence: 0, lease: 0 });
    expect(record.state).toBe('queued');
    expect(waiting.length === 0 ? [job] : waiting.map((other) => other.job)).toContain(record.job);
  }

  async function claim(): Promise<void> {
    const worker = { name: 'w', now: time(), lease_until: time(LEASE_MINUTES) };
    const claimed = await store.transaction(({ jobs }) => jobs.claim(worker));
    const expected = next();
    expect(claimed?.record.job).toBe(expected?.job);
    if (claimed === undefined || expected === undefined) return;
    expect(claimed.fence).toBeGreaterThan(expected.fence);
    Object.assign(expected, {
      state: 'running',
      fence: claimed.fence,
      lease: minutes + LEASE_MINUTES,
    });
    claims.push(claimed);
  }

  async function end(kind: 'beat' | 'finish' | 'release', pick: number): Promise<void> {
    const claimed = claims[pick % Math.max(1, claims.length)];
    if (claimed === undefined) return;
    const { fence, record } = claimed;
    const { job } = record;
    const held = model.find((other) => other.job === job);
    const holds = held?.state === 'running' && held.fence === fence;
    const progress = { phase: 'x', done: 1, total: 2 };
    const did = await store.transaction(({ jobs }) => {
      if (kind === 'beat')
        return jobs.beat(tenant, job, fence, { lease_until: time(LEASE_MINUTES), progress });
      if (kind === 'release') return jobs.release(tenant, job, fence);
      return jobs.finish(tenant, job, fence, {
        outcome: { kind: 'done', report: sampleReport(record.layer_id) },
        now: time(),
      });
    });
    expect(did).toBe(holds);
    if (held === undefined || !holds) return;
    if (kind === 'beat') held.lease = minutes + LEASE_MINUTES;
    else held.state = kind === 'finish' ? 'done' : 'queued';
  }

  return async (each) => {
    if (each.kind === 'wait') minutes += each.minutes;
    else if (each.kind === 'enqueue') await enqueue(each.layer);
    else if (each.kind === 'claim') await claim();
    else await end(each.kind, each.pick);
    const states = await store.jobs.list(tenant, '', 100);
    expect(states.map(({ job, state }) => `${job} ${state}`).reverse()).toEqual(
      model.map(({ job, state }) => `${job} ${state}`),
    );
  };
}
