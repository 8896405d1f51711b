import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareBytes } from '../../artifact/compare-bytes.ts';
import { SENSITIVITIES } from '../../artifact/types.ts';
import type { Store } from '../../ports/store.ts';
import type {
  DescribedHead,
  HeadRecord,
  ListedHead,
  ViewCounts,
  ViewPage,
} from '../../ports/versions.ts';
import { createLayers, newHead, sampleHead, type OpenStore } from '../samples.conformance.ts';

const LAYER_IDS = ['a', 'b', 'c', 'd'];

/** Few ids, so that layers overlap. Some sort next to `/`, the boundary of a scope. */
const IDS = ['x', 'x-y', 'x/a', 'x/a/b', 'x/a0', 'x0', 'y', 'é/x', '🚀', '\uFFFD'];

const head = fc.record({
  id: fc.constantFrom(...IDS),
  type: fc.constantFrom('skill', 'agent'),
  sensitivity: fc.constantFrom(null, ...SENSITIVITIES),
  version: fc.constantFrom('1.0.0', '2.0.0'),
  frontmatter: fc.constantFrom(null, '---\ntype: skill\n---\n'),
  deprecated: fc.boolean(),
});

type Command =
  | {
      kind: 'put';
      layer: number;
      heads: Pick<
        HeadRecord,
        'id' | 'type' | 'sensitivity' | 'version' | 'frontmatter' | 'deprecated'
      >[];
    }
  | { kind: 'remove'; layer: number; ids: string[] };

const place = fc.nat({ max: LAYER_IDS.length - 1 });
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    layer: place,
    heads: fc.uniqueArray(head, { selector: ({ id }) => id, maxLength: 6 }),
  }),
  fc.record({
    kind: fc.constant('remove' as const),
    layer: place,
    ids: fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 4 }),
  }),
);

const view = fc.record({
  stack: fc.shuffledSubarray(LAYER_IDS.map((_, index) => index)),
  prefix: fc.constantFrom('', 'x', 'x/a', 'y', 'nothing', 'é'),
  limit: fc.integer({ min: 1, max: 4 }),
});

type Model = Map<string, HeadRecord>[];

export function viewConformance(open: OpenStore): void {
  describe('composed view', () => {
    test('lists and counts the same as a simple model', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(command, { maxLength: 12 }),
          fc.array(view, { minLength: 1, maxLength: 4 }),
          async (commands, views) => {
            const store = await open();
            try {
              const numbers = (await createLayers(store, 1, LAYER_IDS)).map(({ number }) => number);
              const model: Model = LAYER_IDS.map(() => new Map());
              for (const each of commands) await apply(store, model, numbers, each);
              for (const { stack, prefix, limit } of views) {
                const layers = stack.map((index) => numbers[index] ?? 0);
                const expected = compose(stack.map((index) => model[index] ?? new Map()));
                const scoped = expected.filter(
                  ({ id }) => prefix === '' || id === prefix || id.startsWith(`${prefix}/`),
                );
                const list: ReadPage<ListedHead> = (page) =>
                  store.versions.listView(1, layers, page);
                const describe: ReadPage<DescribedHead> = (page) =>
                  store.versions.describeView(1, layers, page);
                expect(await listAll(list, prefix, limit)).toEqual(scoped.map(toListed));
                expect(await listAll(describe, prefix, limit)).toEqual(scoped.map(toDescribed));
                expect(await store.versions.countView(1, layers)).toEqual(count(expected));
              }
            } finally {
              await store.close();
            }
          },
        ),
        { numRuns: 60 },
      );
    });

    test('continues after any id, even one that it does not contain', async () => {
      const store = await open();
      const [layer] = await createLayers(store, 1, ['a']);
      const number = layer?.number ?? 0;
      await store.transaction(({ versions }) =>
        versions.putHeads(
          1,
          number,
          ['m', 'm/a', 'm/c', 'n'].map((id) => newHead({ id, layer: number })),
        ),
      );
      const ids = async (prefix: string, after: string): Promise<string[]> =>
        (await store.versions.listView(1, [number], { prefix, after, limit: 9 })).map(
          ({ id }) => id,
        );
      expect(await ids('', 'm/b')).toEqual(['m/c', 'n']);
      expect(await ids('m', 'm')).toEqual(['m/a', 'm/c']);
      expect(await ids('m', 'l')).toEqual(['m', 'm/a', 'm/c']);
      expect(await ids('m', 'm-')).toEqual(['m/a', 'm/c']);
      expect(await ids('m', 'm/b')).toEqual(['m/c']);
      expect(await ids('m', 'z')).toEqual([]);
      expect(
        await store.versions.listView(1, [number], { prefix: 'm', after: '', limit: 1 }),
      ).toHaveLength(1);
      expect(
        await store.versions.listView(1, [number], { prefix: 'm', after: '', limit: 0 }),
      ).toEqual([]);
      expect(
        await store.versions.listView(2, [number], { prefix: '', after: '', limit: 9 }),
      ).toEqual([]);
      expect(await store.versions.listView(1, [], { prefix: '', after: '', limit: 9 })).toEqual([]);
      await store.close();
    });

    test('supports 1,000 layers', async () => {
      const store = await open();
      const layerIds = Array.from({ length: 1_000 }, (_, index) => `layer ${index}`);
      const numbers = (await createLayers(store, 1, layerIds)).map(({ number }) => number);
      await store.transaction(async ({ versions }) => {
        for (const [index, layer] of numbers.entries()) {
          await versions.putHeads(1, layer, [newHead({ id: `own/${index % 600}`, layer })]);
        }
      });
      const page = await store.versions.listView(1, numbers, { prefix: '', after: '', limit: 999 });
      expect(page).toHaveLength(600);
      for (const { id, layer } of page) {
        const own = Number(id.slice('own/'.length));
        expect(numbers.indexOf(layer)).toBe(own < 400 ? own + 600 : own);
      }
      expect(await store.versions.countView(1, numbers)).toMatchObject({ artifact_count: 600 });
      await store.close();
    });
  });
}

async function apply(
  store: Store,
  model: Model,
  numbers: readonly number[],
  command: Command,
): Promise<void> {
  const layer = numbers[command.layer] ?? 0;
  const held = model[command.layer] ?? new Map<string, HeadRecord>();
  if (command.kind === 'remove') {
    await store.transaction(({ versions }) => versions.removeHeads(1, layer, command.ids));
    for (const id of command.ids) held.delete(id);
    return;
  }
  const heads = command.heads.map((given) => ({ ...given, layer }));
  await store.transaction(({ versions }) =>
    versions.putHeads(
      1,
      layer,
      heads.map((given) => newHead(given)),
    ),
  );
  for (const given of heads) held.set(given.id, sampleHead(given));
}

function toListed(head: HeadRecord): ListedHead {
  const { layer, id, version, type, content_hash, deprecated, frontmatter } = head;
  const servable = frontmatter !== null;
  return { layer, id, version, type, content_hash, deprecated, servable };
}

function toDescribed({ layer, id, type, description }: HeadRecord): DescribedHead {
  return { layer, id, type, description };
}

function compose(stack: Model): HeadRecord[] {
  const winners = new Map<string, HeadRecord>();
  for (const held of stack) for (const [id, record] of held) winners.set(id, record);
  return [...winners.values()].sort((a, b) => compareBytes(a.id, b.id));
}

function count(heads: readonly HeadRecord[]): ViewCounts {
  const by_type: Record<string, number> = {};
  const by_sensitivity = { low: 0, medium: 0, high: 0 };
  for (const { type, sensitivity } of heads) {
    by_type[type] = (by_type[type] ?? 0) + 1;
    by_sensitivity[sensitivity ?? 'low'] += 1;
  }
  return { artifact_count: heads.length, by_type, by_sensitivity };
}

type ReadPage<Head> = (page: ViewPage) => Promise<Head[]>;

async function listAll<Head extends { id: string }>(
  read: ReadPage<Head>,
  prefix: string,
  limit: number,
): Promise<Head[]> {
  const heads: Head[] = [];
  for (;;) {
    const after = heads.at(-1)?.id ?? '';
    const page = await read({ prefix, after, limit });
    expect(page.length).toBeLessThanOrEqual(limit);
    heads.push(...page);
    if (page.length < limit) return heads;
  }
}
