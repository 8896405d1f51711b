import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RUN_ATTEMPTS, type PendingEmbedding } from '../../ports/embeddings.ts';
import type { Store } from '../../ports/store.ts';
import type { Tenant } from '../../ports/tenant.ts';
import { openForTest, type OpenStore } from '../samples.conformance.ts';
import {
  addModel,
  claim,
  minute,
  putDocuments,
  removeDocuments,
} from './waiting-samples.conformance.ts';

const INSIDE = { name: 'test/inside', dimensions: 2 };
const OUTSIDE = { name: 'test/outside', dimensions: 2 };
const MODELS = [INSIDE.name, OUTSIDE.name];
const LEASE_MINUTES = 10;

interface Place {
  tenant: 0 | 1;
  layer: number;
  id: string;
}

type Step =
  | { kind: 'put' | 'remove'; places: Place[] }
  | { kind: 'claim'; model: number; limit: number }
  | { kind: 'finish' | 'postpone' | 'release'; pick: number }
  | { kind: 'run'; model: number; ids: string[] | undefined }
  | { kind: 'wait'; minutes: number };

const id = fc.constantFrom('a', 'b', 'c');
const place: fc.Arbitrary<Place> = fc.record({
  tenant: fc.constantFrom(0 as const, 1 as const),
  layer: fc.constantFrom(1, 2),
  id,
});
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('put' as const, 'put' as const, 'remove' as const),
    places: fc.array(place, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('claim' as const),
    model: fc.nat({ max: 1 }),
    limit: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    kind: fc.constantFrom('finish' as const, 'postpone' as const, 'release' as const),
    pick: fc.nat({ max: 20 }),
  }),
  fc.record({
    kind: fc.constant('run' as const),
    model: fc.nat({ max: 1 }),
    ids: fc.option(fc.array(id, { maxLength: 2 }), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 12 }) }),
);

interface Row {
  tenant: Tenant;
  layer: number;
  id: string;
  version: number;
  attempts: number;
  not_before: number;
  removed: boolean;
  run: string | undefined;
}

export function embeddingMachineConformance(open: OpenStore): void {
  test('pending embeddings match a simple model after any history', async () => {
    const store = await openForTest(open);
    await addModel(store, INSIDE);
    await addModel(store, OUTSIDE, true);
    let tenant = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        tenant += 2;
        const history = createHistory(store, tenant);
        for (const each of steps) {
          await history.apply(each);
          await history.check();
        }
        await history.end();
      }),
      { numRuns: 40 },
    );
  }, 60_000);
}

interface History {
  apply(step: Step): Promise<void>;
  check(): Promise<void>;
  /** Claims span all tenants, so open entries of one history must not affect the next. */
  end(): Promise<void>;
}

function createHistory(store: Store, first: Tenant): History {
  const { embeddings } = store;
  const documents = new Set<string>();
  const rows = MODELS.map(() => new Map<string, Row>());
  const claims: { model: number; claimed: PendingEmbedding; version: number }[] = [];
  const runs: { run: string; tenant: Tenant; model: number; total: number }[] = [];
  let versions = 0;
  let minutes = 0;

  const keyOf = (key: { tenant: Tenant; layer: number; id: string }): string =>
    `${key.tenant} ${key.layer} ${key.id}`;

  function markPending(
    model: number,
    key: Pick<Row, 'tenant' | 'layer' | 'id'>,
    given: Partial<Row>,
  ) {
    const known = rows[model]?.get(keyOf(key));
    const { tenant, layer, id: name } = key;
    versions += 1;
    rows[model]?.set(keyOf(key), {
      tenant,
      layer,
      id: name,
      version: versions,
      attempts: 0,
      not_before: -Infinity,
      removed: false,
      run: known?.run,
      ...given,
    });
  }

  async function change(kind: 'put' | 'remove', places: Place[]): Promise<void> {
    for (const shelf of Map.groupBy(places, (each) => `${each.tenant} ${each.layer}`).values()) {
      const [{ tenant: offset, layer } = { tenant: 0, layer: 0 }] = shelf;
      const tenant = first + offset;
      const named = [...new Set(shelf.map((each) => each.id))];
      const isThere = (name: string): boolean => documents.has(keyOf({ tenant, layer, id: name }));
      const ids = kind === 'put' ? named : named.filter(isThere);
      if (kind === 'put') await putDocuments(store, tenant, layer, ids);
      else await removeDocuments(store, tenant, layer, ids);
      for (const name of ids) {
        const key = { tenant, layer, id: name };
        if (kind === 'put') {
          documents.add(keyOf(key));
          for (const model of MODELS.keys()) markPending(model, key, {});
        } else {
          documents.delete(keyOf(key));
          rows[0]?.delete(keyOf(key));
          markPending(1, key, { removed: true, run: undefined });
        }
      }
    }
  }

  async function claimSome(model: number, limit: number): Promise<void> {
    const claimed = await claim(store, minutes, { model: MODELS[model] ?? '', limit });
    const free = [...(rows[model]?.values() ?? [])].filter((row) => row.not_before <= minutes);
    expect(claimed).toHaveLength(Math.min(limit, free.length));
    for (const each of claimed) {
      const row = free.find((other) => keyOf(other) === keyOf(each));
      expect(row).toMatchObject({ attempts: each.attempts, removed: each.removed });
      if (row === undefined) continue;
      row.not_before = minutes + LEASE_MINUTES;
      claims.push({ model, claimed: each, version: row.version });
    }
  }

  async function answer(kind: 'finish' | 'postpone' | 'release', pick: number): Promise<void> {
    const picked = claims[pick % Math.max(1, claims.length)];
    if (picked === undefined) return;
    const { model, claimed, version } = picked;
    const name = MODELS[model] ?? '';
    const { tenant } = claimed;
    const not_before = minutes + 5;
    if (kind === 'finish') await embeddings.finishWaiting(tenant, name, [claimed]);
    else if (kind === 'release') await embeddings.releaseWaiting(tenant, name, [claimed]);
    else {
      const failed = { ...claimed, reason: 'no', not_before: minute(not_before) };
      await embeddings.postponeWaiting(tenant, name, [failed]);
    }
    const row = rows[model]?.get(keyOf(claimed));
    if (row?.version !== version) return;
    if (kind === 'finish') rows[model]?.delete(keyOf(claimed));
    else if (kind === 'release') row.not_before = -Infinity;
    else Object.assign(row, { attempts: row.attempts + 1, not_before });
  }

  async function startRun(model: number, ids: string[] | undefined): Promise<void> {
    const run = `run ${runs.length}`;
    const selection =
      ids === undefined ? ({ kind: 'all' } as const) : { kind: 'ids' as const, ids };
    await embeddings.startRun(first, MODELS[model] ?? '', { run, selection, now: minute(minutes) });
    let total = 0;
    for (const key of documents) {
      const [tenant, layer, name = ''] = key.split(' ');
      if (Number(tenant) !== first || ids?.includes(name) === false) continue;
      total += 1;
      markPending(model, { tenant: first, layer: Number(layer), id: name }, { run });
    }
    runs.push({ run, tenant: first, model, total });
  }

  return {
    async apply(each) {
      if (each.kind === 'wait') minutes += each.minutes;
      else if ('places' in each) await change(each.kind, each.places);
      else if (each.kind === 'claim') await claimSome(each.model, each.limit);
      else if (each.kind === 'run') await startRun(each.model, each.ids);
      else await answer(each.kind, each.pick);
    },
    async check() {
      for (const [at, model] of MODELS.entries()) {
        const { waiting } = await embeddings.countWaiting(model);
        expect(waiting).toBe(rows[at]?.size);
      }
      for (const { run, tenant, model, total } of runs) {
        const of_run = [...(rows[model]?.values() ?? [])].filter(
          (row) => row.run === run && row.tenant === tenant,
        );
        const failures = of_run.filter((row) => row.attempts >= RUN_ATTEMPTS);
        const found = await embeddings.getRun(tenant, run);
        expect(found).toMatchObject({ total, remaining: of_run.length - failures.length });
        expect(found?.failures).toHaveLength(failures.length);
      }
    },
    async end() {
      for (const model of MODELS) {
        const claimed = await claim(store, 1_000_000, { model });
        for (const [tenant, some] of Map.groupBy(claimed, (each) => each.tenant)) {
          await embeddings.finishWaiting(tenant, model, some);
        }
      }
    },
  };
}
