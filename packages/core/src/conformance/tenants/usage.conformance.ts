import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesHash } from '../../artifact/content-hash.ts';
import type { LayerRecord } from '../../ports/layers.ts';
import type { Store } from '../../ports/store.ts';
import type { VersionRecord } from '../../ports/versions.ts';
import {
  createLayers,
  newHead,
  openForTest,
  sampleRecord,
  sampleVersion,
  T1,
  type OpenStore,
} from '../samples.conformance.ts';

const LAYER_IDS = ['a', 'b'];
const place = fc.nat({ max: LAYER_IDS.length - 1 });
const id = fc.constantFrom('x', 'x/y', 'z');
const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03'] as const;

const version = fc.record({
  id,
  version: fc.constantFrom('1.0.0', '2.0.0'),
  manifest: fc.constantFrom(null, 'text', 'größer'),
  skill: fc.constantFrom(null, 'skill', '🚀'),
  sizes: fc.array(fc.constantFrom(0, 7, 5_000_000_000), { maxLength: 3 }),
});

const command = fc.oneof(
  fc.record({
    kind: fc.constant('store' as const),
    layer: place,
    versions: fc.uniqueArray(version, {
      selector: (each) => `${each.id}@${each.version}`,
      maxLength: 4,
    }),
  }),
  fc.record({
    kind: fc.constant('serve' as const),
    layer: place,
    ids: fc.uniqueArray(id),
    type: fc.constantFrom('skill', 'agent'),
  }),
  fc.record({ kind: fc.constant('withdraw' as const), layer: place, ids: fc.uniqueArray(id) }),
  fc.record({ kind: fc.constantFrom('unregister', 'restore', 'purge'), layer: place }),
  fc.record({
    kind: fc.constant('copy' as const),
    layer: place,
    bytes: fc.constantFrom(0, 9, 6_000_000_000),
  }),
  fc.record({
    kind: fc.constant('audit' as const),
    days: fc.array(fc.constantFrom(...DAYS), { maxLength: 3 }),
  }),
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

interface Model {
  layers: (LayerRecord | undefined)[];
  versions: Map<string, number>[];
  heads: Set<string>[];
  copies: number[];
  audited: number;
  day: string;
}

export function usageConformance(open: OpenStore): void {
  describe('tenant usage', () => {
    test('is zero at first', async () => {
      const store = await openForTest(open);
      const nothing = { storage_bytes: 0, artifact_count: 0, audit_volume_today: 0 };
      expect(await store.tenants.usage(1, T1)).toEqual(nothing);
    });

    test('equals a count of all content after random changes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 14 }), async (commands) => {
          const store = await open();
          try {
            const model: Model = {
              layers: await createLayers(store, 1, LAYER_IDS),
              versions: LAYER_IDS.map(() => new Map()),
              heads: LAYER_IDS.map(() => new Set()),
              copies: LAYER_IDS.map(() => 0),
              audited: 0,
              day: '',
            };
            for (const each of commands) await apply(store, model, each);
            for (const day of DAYS) {
              const usage = await store.tenants.usage(1, `${day}T23:59:59.000Z`);
              expect(usage).toEqual(countAll(model, day));
            }
            expect((await store.tenants.usage(2, T1)).storage_bytes).toBe(0);
          } finally {
            await store.close();
          }
        }),
        { numRuns: 40 },
      );
    });

    test('is visible in the transaction that changes the usage, and restored on rollback', async () => {
      const store = await openForTest(open);
      const [layer] = await createLayers(store, 1, ['a']);
      const failing = store.transaction(async ({ versions, tenants }) => {
        await versions.putHeads(1, layer?.number ?? 0, [newHead({ id: 'x' })]);
        expect((await tenants.usage(1, T1)).artifact_count).toBe(1);
        throw new Error('after all');
      });
      await expect(failing).rejects.toThrow('after all');
      expect((await store.tenants.usage(1, T1)).artifact_count).toBe(0);
    });
  });
}

function countAll(model: Model, day: string): object {
  const versions = model.versions.flatMap((each) => [...each.values()]);
  const bytes = [...versions, ...model.copies];
  const live = model.heads.filter((_, at) => model.layers[at]?.deleted_at === null);
  return {
    storage_bytes: bytes.reduce((sum, one) => sum + one, 0),
    artifact_count: live.reduce((sum, { size }) => sum + size, 0),
    audit_volume_today: model.day === day ? model.audited : 0,
  };
}

async function apply(store: Store, model: Model, command: Command): Promise<void> {
  if (command.kind === 'audit') return audit(store, model, command.days);
  const layer = model.layers[command.layer];
  const versions = model.versions[command.layer];
  const heads = model.heads[command.layer];
  if (layer === undefined || versions === undefined || heads === undefined) return;
  const { number } = layer;
  switch (command.kind) {
    case 'store':
      await store.transaction((writes) =>
        writes.versions.putVersions(1, layer.id, command.versions.map(toRecord(number))),
      );
      for (const { sizes, manifest, skill, ...named } of command.versions) {
        const key = `${named.id}@${named.version}`;
        const texts = Buffer.byteLength(manifest ?? '') + Buffer.byteLength(skill ?? '');
        if (versions.has(key)) continue;
        versions.set(
          key,
          sizes.reduce((sum, size) => sum + size, texts),
        );
      }
      return;
    case 'serve':
      await store.transaction((writes) =>
        writes.versions.putHeads(
          1,
          number,
          command.ids.map((each) => newHead({ id: each, type: command.type })),
        ),
      );
      for (const each of command.ids) heads.add(each);
      return;
    case 'withdraw':
      await store.transaction((writes) => writes.versions.removeHeads(1, number, command.ids));
      for (const each of command.ids) heads.delete(each);
      return;
    case 'unregister':
    case 'restore': {
      const changed = { ...layer, deleted_at: command.kind === 'restore' ? null : T1 };
      await store.transaction(({ layers }) => layers.replace(1, changed));
      model.layers[command.layer] = changed;
      if (command.kind === 'unregister') model.copies[command.layer] = 0;
      return;
    }
    case 'copy':
      if (layer.deleted_at !== null) return;
      await store.transaction(({ layers }) => layers.noteCopy(1, number, command.bytes));
      model.copies[command.layer] = command.bytes;
      return;
    case 'purge':
      await store.transaction(({ layers }) => layers.purge(1, number));
      model.layers[command.layer] = undefined;
      model.copies[command.layer] = 0;
      versions.clear();
      heads.clear();
  }
}

function toRecord(layer: number) {
  return (
    { sizes, ...given }: typeof version extends fc.Arbitrary<infer Value> ? Value : never,
    at: number,
  ): VersionRecord =>
    sampleVersion({
      ...given,
      layer,
      ingest_order: at + 1,
      files: sizes.map((size, index) => ({
        path: `${index} "size":9`,
        content_hash: bytesHash(`${size}`),
        size,
        executable: false,
      })),
    });
}

async function audit(store: Store, model: Model, days: readonly string[]): Promise<void> {
  const records = days.map((day) => ({ ...sampleRecord('x'), timestamp: `${day}T00:00:00.000Z` }));
  await store.transaction((writes) => writes.audit.append(1, records));
  for (const day of days) {
    // A late record counts for the current day.
    model.audited = day > model.day ? 1 : model.audited + 1;
    model.day = day > model.day ? day : model.day;
  }
}
