import { artifactRecord } from '@catalog/contract/records/artifact';
import {
  catalogResponse,
  syncManifest,
  type CatalogResponse,
  type SyncManifest,
} from '@catalog/contract/records/discovery';
import { composeLayers } from '@catalog/core/layer/compose-layers';
import type { Caller } from '@catalog/core/identity/caller';
import { readManifest } from '@catalog/core/manifest/read-manifest';
import type { NewLayer } from '@catalog/core/ports/layers';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import type { HeadRecord } from '@catalog/core/ports/versions';
import { openMemoryRegistry, type LayerContent } from '@catalog/testkit/memory-registry';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listDependents } from '../discover/list-dependents.ts';
import { loadDomain } from '../discover/load-domain.ts';
import { previewScope } from '../discover/preview-scope.ts';
import { searchArtifacts } from '../discover/search-artifacts.ts';
import { streamCatalog } from '../discover/stream-catalog.ts';
import { batchLoad } from '../load/batch-load.ts';
import { loadArtifact } from '../load/load-artifact.ts';
import type { CallContext, Registry } from '../registry.ts';
import { streamManifest } from '../sync/stream-manifest.ts';

/** An id always has the same type here, so that its overlays are valid. */
const TYPES: Readonly<Record<string, string>> = {
  a: 'rule',
  'a/x': 'agent',
  'a/y': 'rule',
  'a/b/x': 'agent',
  'c/x': 'command',
  'c/y': 'agent',
};
const IDS = Object.keys(TYPES);

/** Layers, lowest precedence first; personal layers come last. */
const LAYERS: Readonly<Record<string, Partial<NewLayer>>> = {
  everybody: { public: true },
  company: { organization: true },
  team: { organization: false, groups: ['eng'] },
  nobody: { organization: false },
  ann: { organization: false, user_defined: true, owner: 'ann', users: ['ann'] },
  bob: { organization: false, user_defined: true, owner: 'bob', users: ['bob'] },
};

const CALLERS: readonly Caller[] = [
  { kind: 'open' },
  { kind: 'anonymous' },
  { kind: 'subject', subject: 'ann', groups: ['eng'] },
  { kind: 'subject', subject: 'bob', groups: [] },
];

interface Package {
  version: string;
  deprecated: boolean;
  direct_only: boolean;
  sensitivity: string | undefined;
  delegates_to: readonly string[];
  overlay: boolean;
}

const authored: fc.Arbitrary<Package> = fc.record({
  version: fc.constantFrom('1.0.0', '1.1.0', '2.0.0'),
  deprecated: fc.constantFrom(false, false, false, false, true),
  direct_only: fc.constantFrom(false, false, false, false, true),
  sensitivity: fc.constantFrom(undefined, 'low', 'medium', 'high'),
  delegates_to: fc.subarray(IDS),
  overlay: fc.constantFrom(false, true, true),
});

const ingest = fc.record({
  layer: fc.constantFrom(...Object.keys(LAYERS)),
  packages: fc.dictionary(fc.constantFrom(...IDS), authored, { minKeys: 1, maxKeys: 5 }),
  include: fc.constantFrom(undefined, '**', 'a/*'),
});
type Ingest = typeof ingest extends fc.Arbitrary<infer Value> ? Value : never;

function toContent({ packages, include }: Ingest): LayerContent {
  return {
    packages: Object.fromEntries(
      Object.entries(packages).map(([id, each]) => [id, { 'ARTIFACT.md': toManifest(id, each) }]),
    ),
    domains: include === undefined ? {} : { kit: `---\ninclude: ["${include}"]\n---\n` },
  };
}

function toManifest(id: string, each: Package): string {
  const type = TYPES[id];
  const lines = [
    `type: ${type}`,
    `name: ${id.replaceAll('/', '-')}`,
    `version: ${each.version}`,
    'description: Something for every search.',
    ...(each.deprecated ? ['deprecated: true'] : []),
    ...(each.direct_only ? ['search_visibility: direct-only'] : []),
    ...(each.sensitivity === undefined ? [] : [`sensitivity: ${each.sensitivity}`]),
    ...(type === 'agent' ? [`delegates_to: [${each.delegates_to.join(', ')}]`] : []),
    ...(each.overlay ? [`extends: ${id}`] : []),
  ];
  return `---\n${lines.join('\n')}\n---\nDo it.\n`;
}

async function expectedHeads(registry: Registry, caller: Caller): Promise<Map<string, HeadRecord>> {
  const { layers, versions } = registry.store;
  const winners = new Map<string, HeadRecord>();
  for (const { number } of composeLayers(await layers.list(ONLY_TENANT), caller)) {
    for (const head of await versions.listHeadsOf(ONLY_TENANT, [number], IDS)) {
      winners.set(head.id, head);
    }
  }
  return winners;
}

type Shown = Record<string, string>;

function versionsOf(heads: Iterable<{ id: string; version: string }>): Shown {
  return Object.fromEntries(
    [...heads]
      .map(({ id, version }) => [id, version] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

async function readChunks(chunks: AsyncIterable<string>): Promise<unknown> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return JSON.parse(text);
}

async function loadEach(registry: Registry, context: CallContext): Promise<Shown> {
  const loaded: { id: string; version: string }[] = [];
  for (const id of IDS) {
    const found = await loadArtifact(registry, context, { id, version: '' }).catch(() => undefined);
    if (found !== undefined) loaded.push({ id, version: found.version });
  }
  return versionsOf(loaded);
}

async function readManifestOf(registry: Registry, context: CallContext): Promise<SyncManifest> {
  const answer = await streamManifest(registry, context);
  return syncManifest.parse(await readChunks(answer.chunks()));
}

async function readCatalog(registry: Registry, context: CallContext): Promise<CatalogResponse> {
  const answer = await streamCatalog(registry, context, '');
  return catalogResponse.parse(await readChunks(answer.chunks()));
}

async function walkDomains(registry: Registry, context: CallContext): Promise<Shown> {
  const notable: { id: string; version: string }[] = [];
  const open = [''];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const map = await loadDomain(registry, context, { path, depth: 1 });
    notable.push(...map.notable);
    open.push(...map.subdomains.map((below) => below.path));
  }
  return versionsOf(notable);
}

async function expectedDelegates(
  registry: Registry,
  context: CallContext,
  shown: readonly string[],
): Promise<Map<string, string[]>> {
  const delegates = new Map<string, string[]>(IDS.map((id) => [id, []]));
  for (const id of shown) {
    const { bytes } = await loadArtifact(registry, context, { id, version: '' });
    const { manifest_body = '' } = artifactRecord.parse(JSON.parse(Buffer.from(bytes).toString()));
    const reading = readManifest(Buffer.from(manifest_body), {
      file: id,
      artifact_id: id,
      layer: '',
    });
    const named = reading.kind === 'ok' ? reading.manifest.values['delegates_to'] : [];
    for (const to of new Set(Array.isArray(named) ? named : [])) {
      if (typeof to === 'string') delegates.get(to)?.push(id);
    }
  }
  return delegates;
}

async function listDelegates(registry: Registry, context: CallContext, id: string) {
  const { edges } = await listDependents(registry, context, { id });
  return edges.flatMap(({ kind, from }) => (kind === 'delegates_to' ? [from] : []));
}

const DISCOVERY = {
  notable_count: 100,
  target_response_tokens: 30_000,
  fold_passthrough_chains: false,
  allow_per_domain_overrides: true,
};

test('all read endpoints return the same artifacts and versions to a caller (SPEC-21)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ingest, { minLength: 2, maxLength: 8 }), async (ingests) => {
      const memory = await openMemoryRegistry({ discovery: DISCOVERY });
      try {
        for (const [id, more] of Object.entries(LAYERS)) await memory.addLayer(id, more);
        for (const each of ingests) await memory.ingest(each.layer, toContent(each));
        for (const caller of CALLERS) {
          await compareSurfaces(memory.registry, { ...memory.context, caller });
        }
      } finally {
        await memory.close();
      }
    }),
    { numRuns: 30 },
  );
});

async function compareSurfaces(registry: Registry, context: CallContext): Promise<void> {
  const heads = await expectedHeads(registry, context.caller);
  const all = versionsOf(heads.values());
  const around = versionsOf(
    [...heads.values()].filter(
      ({ deprecated, search_visibility }) => !deprecated && search_visibility === 'indexed',
    ),
  );
  const ids = Object.keys(all);

  expect(await loadEach(registry, context), 'load').toEqual(all);
  const batch = await batchLoad(registry, context, { ids: IDS });
  expect(versionsOf(batch.filter((item) => item.status === 'ok')), 'batch').toEqual(all);
  expect(versionsOf((await readManifestOf(registry, context)).artifacts), 'manifest').toEqual(all);
  const catalog = await readCatalog(registry, context);
  expect(catalog.ids, 'catalog').toEqual(ids);
  expect(
    catalog.artifacts.map(({ id }) => id),
    'catalog',
  ).toEqual(ids);
  const preview = await previewScope(registry, context);
  expect(preview.artifact_count, 'scope preview').toBe(ids.length);
  expect(sum(preview.by_type), 'scope preview').toBe(ids.length);
  expect(sum(preview.by_sensitivity), 'scope preview').toBe(ids.length);

  for (const query of ['', 'something for search']) {
    const filters = { type: [], tags: [], scope: [], layer: [], harness: '' };
    const parameters = { ...filters, query, top_k: 50, as_admin: false };
    const { results, total_matched } = await searchArtifacts(registry, context, parameters);
    expect(versionsOf(results), 'search').toEqual(around);
    expect(total_matched, 'search').toBe(results.length);
  }
  expect(await walkDomains(registry, context), 'domain map').toEqual(around);

  const delegates = await expectedDelegates(registry, context, ids);
  for (const [id, from] of delegates) {
    expect(await listDelegates(registry, context, id), `dependents of ${id}`).toEqual(from.sort());
  }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
