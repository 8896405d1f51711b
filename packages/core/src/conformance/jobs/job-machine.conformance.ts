import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClaimedJob } from '../../ports/jobs.ts';
import type { Store } from '../../ports/store.ts';
import { sampleReport, sampleRequest, type OpenStore } from '../samples.conformance.ts';

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

/** A job of the model: everything that decides what may happen to it next. */
interface Model {
  job: string;
  layer: string;
  state: 'queued' | 'running' | 'done';
  fence: number;
  lease: number;
}

/** Random histories of jobs, against a list that is searched from the front. */
export function jobMachineConformance(open: OpenStore): void {
  test('jobs follow a plain model through any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const store = await open();
        try {
          const run = createRun(store);
          for (const each of steps) await run(each);
        } finally {
          await store.close();
        }
      }),
      { numRuns: 60 },
    );
  });
}

function createRun(store: Store): (step: Step) => Promise<void> {
  const model: Model[] = [];
  /** Everything ever claimed, also what was taken over since. */
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
    const record = await store.transaction(({ jobs }) => jobs.enqueue(1, given));
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
        return jobs.beat(1, job, fence, { lease_until: time(LEASE_MINUTES), progress });
      if (kind === 'release') return jobs.release(1, job, fence);
      return jobs.finish(1, job, fence, {
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
    const states = await store.jobs.list(1, '', 100);
    expect(states.map(({ job, state }) => `${job} ${state}`).reverse()).toEqual(
      model.map(({ job, state }) => `${job} ${state}`),
    );
  };
}
