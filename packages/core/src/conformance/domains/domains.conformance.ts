import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareBytes } from '../../artifact/compare-bytes.ts';
import { pathAndAbove } from '../../domain/domain-path.ts';
import type { DomainNode, DomainReader, MemberQuery } from '../../domain/domain-reader.ts';
import { renderDomainMap, type DomainMapRequest } from '../../domain/render-domain-map.ts';
import type { LayerStack } from '../../ports/versions.ts';
import { openForTest, type OpenStore } from '../samples.conformance.ts';
import { question, step, type Question, type Step } from './domain-histories.conformance.ts';
import { createDomainModel, type DomainModel } from './domain-model.conformance.ts';

const TENANT = 1;
const ALL = { each: Infinity, all: Infinity };

/** Compares a store with domains in memory. A remote store needs fewer `histories`. */
export function domainsConformance(open: OpenStore, histories = 80): void {
  describe('domains', () => {
    countsConformance(open);
    importsConformance(open);
    textsConformance(open);
    searchConformance(open);
    historyConformance(open, histories);
  });
}

async function openModel(open: OpenStore): Promise<DomainModel> {
  return createDomainModel(await openForTest(open), TENANT);
}

function countsConformance(open: OpenStore): void {
  test('counts an id once if several layers hold it', async () => {
    const model = await openModel(open);
    await model.putHeads(1, { 'a/x': {}, 'a/y': {}, 'a/b/x': {} });
    await model.putHeads(2, { 'a/x': {}, 'a/b/x': {}, 'a/b/y': {} });
    await model.putHeads(3, { 'a/x': {} });
    const counts = async (layers: LayerStack) => {
      const [counted] = await model.reader(layers).countArtifacts(['a']);
      return [counted?.artifact_count, counted?.recursive_count];
    };
    expect(await counts([1])).toEqual([2, 3]);
    expect(await counts([1, 2])).toEqual([2, 4]);
    expect(await counts([2, 3])).toEqual([1, 3]);
    expect(await counts([1, 2, 3])).toEqual([2, 4]);
    expect(await counts([3])).toEqual([1, 1]);
  });

  test('uses the highest layer to decide if an artifact is on the map', async () => {
    const model = await openModel(open);
    await model.putHeads(1, { 'a/x': {} });
    await model.putHeads(2, { 'a/x': { deprecated: true } });
    expect(await model.reader([1, 2]).getNode('a')).toBeUndefined();
    expect(await model.reader([2, 1]).getNode('a')).toMatchObject({ has_artifacts: true });
    await model.putHeads(2, { 'a/x': { version: '2.0.0' } });
    expect(await model.reader([1, 2]).getNode('a')).toMatchObject({ has_artifacts: true });
    await model.removeHeads(2, ['a/x']);
    expect(await model.reader([2, 1]).getNode('a')).toMatchObject({ has_artifacts: true });
  });

  test('hides domains that any visible layer marks as unlisted', async () => {
    const model = await openModel(open);
    await model.putHeads(1, { 'a/x': {}, 'a/drafts/x': {}, 'a/drafts/deep/y': {} });
    await model.putDomains(2, { 'a/drafts': { fields: { unlisted: true }, body: '' } });
    const counted = { path: 'a', artifact_count: 1 };
    const all = model.reader([1]);
    expect(await all.getNode('a')).toMatchObject({ has_children: true });
    expect(await all.countArtifacts(['a'])).toEqual([{ ...counted, recursive_count: 3 }]);
    const reader = model.reader([1, 2]);
    expect(await reader.getNode('a')).toMatchObject({ has_children: false });
    expect(await reader.countArtifacts(['a', 'a/drafts'])).toEqual([
      { ...counted, recursive_count: 1 },
    ]);
    expect(await reader.getNode('a/drafts/deep')).toBeUndefined();
    expect(await reader.listChildren(['a'], ALL)).toEqual([]);
  });

  test('removes artifacts of one tenant only', async () => {
    const store = await openForTest(open);
    const [mine, theirs] = [createDomainModel(store, 1), createDomainModel(store, 2)];
    await mine.putHeads(1, { 'a/x': {} });
    await theirs.putHeads(1, { 'a/x': {}, 'b/y': {} });
    await theirs.putDomains(1, { a: { fields: { unlisted: true }, body: '' } });
    await mine.removeHeads(1, ['a/x']);
    expect(await mine.reader([1]).listChildren([''], ALL)).toEqual([]);
    expect(await theirs.reader([1]).listChildren([''], ALL)).toMatchObject([{ path: 'b' }]);
  });
}

function importsConformance(open: OpenStore): void {
  const members = async (model: DomainModel, layers: LayerStack) => {
    const found = await model.reader(layers).listMembers({ path: 'd', folded: [] }, undefined, 99);
    return found.map(({ id, domain }) => [id, domain]);
  };

  test('imports existing and later artifacts from visible layers only', async () => {
    const model = await openModel(open);
    await model.putHeads(1, { 'shared/x': {} });
    await model.putDomains(2, { d: { fields: { include: ['shared/*'] }, body: '' } });
    await model.putHeads(3, { 'shared/y': {} });
    expect(await members(model, [1, 2])).toEqual([['shared/x', 'd']]);
    expect(await members(model, [1, 2, 3])).toEqual([
      ['shared/x', 'd'],
      ['shared/y', 'd'],
    ]);
    expect(await members(model, [1, 3])).toEqual([]);
    await model.putHeads(1, { 'shared/x': { search_visibility: 'direct-only' } });
    await model.removeHeads(3, ['shared/y']);
    expect(await members(model, [1, 2, 3])).toEqual([]);
  });

  test('excludes artifacts that another visible layer excludes', async () => {
    const model = await openModel(open);
    await model.putHeads(1, { 'shared/x': {}, 'shared/y': {} });
    await model.putDomains(1, { d: { fields: { include: ['shared/*'] }, body: '' } });
    await model.putDomains(2, { d: { fields: { exclude: ['shared/y'] }, body: '' } });
    expect(await members(model, [1])).toHaveLength(2);
    expect(await members(model, [1, 2])).toEqual([['shared/x', 'd']]);
  });

  test('removes the imports of a changed or deleted DOMAIN.md', async () => {
    const model = await openModel(open);
    await model.putHeads(1, { 'shared/x': {}, 'other/y': {} });
    await model.putDomains(1, { d: { fields: { include: ['shared/*'] }, body: '' } });
    await model.putDomains(1, { d: { fields: { include: ['other/**'] }, body: '' } });
    expect(await members(model, [1])).toEqual([['other/y', 'd']]);
    await model.removeDomains(1, ['d']);
    await model.putHeads(1, { 'other/z': {} });
    expect(await members(model, [1])).toEqual([]);
  });
}

function textsConformance(open: OpenStore): void {
  test('stores each DOMAIN.md verbatim', async () => {
    const store = await openForTest(open);
    const domain = { path: 'a/b', layer: 'base', fields: {}, body: 'Text.' };
    await store.transaction(async ({ domains }) => {
      await domains.putDomains(TENANT, 1, [{ path: 'a/b', text: '---\n---\nText.', domain }]);
      await domains.putDomains(TENANT, 2, [
        { path: 'c', text: 'other', domain: { ...domain, path: 'c' } },
      ]);
    });
    expect(await store.domains.listPaths(TENANT, 1)).toEqual(['a/b']);
    expect(await store.domains.readTexts(TENANT, 1, ['a/b', 'c', 'a'])).toEqual(
      new Map([['a/b', '---\n---\nText.']]),
    );
    await store.transaction(({ domains }) => domains.removeDomains(TENANT, 1, ['a/b', 'none']));
    expect(await store.domains.listPaths(TENANT, 1)).toEqual([]);
    expect(await store.domains.readTexts(TENANT, 1, ['a/b'])).toEqual(new Map());
  });

  test('raises the revision with every change of the map', async () => {
    const store = await openForTest(open);
    const model = createDomainModel(store, TENANT);
    const revision = () => store.layers.revision(TENANT);
    const before = await revision();
    await model.putDomains(1, { a: { fields: {}, body: '' } });
    const put = await revision();
    await model.removeDomains(1, ['a']);
    expect(before).toBeLessThan(put);
    expect(put).toBeLessThan(await revision());
  });
}

function searchConformance(open: OpenStore): void {
  test('finds a domain by the combined text of all visible layers', async () => {
    const model = await openModel(open);
    const find = async (layers: LayerStack, query: string, scope = '') => {
      const { hits, total_matched } = await model.search(layers, { query, scope, top_k: 10 });
      expect(total_matched).toBe(hits.length);
      return hits.map(({ path }) => path);
    };
    await model.putDomains(1, {
      ops: { fields: { description: 'Running services.' }, body: '' },
      'ops/deploy': { fields: { discovery: { keywords: ['release'] } }, body: 'Ship it.' },
      'ops/hidden': { fields: { unlisted: true, description: 'Release secrets.' }, body: '' },
      quiet: { fields: { include: ['release/*'] }, body: ' \n' },
    });
    await model.putDomains(2, {
      ops: { fields: { description: 'Keeping up releases.' }, body: '' },
    });
    expect(await find([1], 'releasing')).toEqual(['ops/deploy']);
    expect(await find([1, 2], 'release')).toEqual(['ops/deploy', 'ops']);
    expect(await find([1, 2], 'services')).toEqual([]);
    expect(await find([2, 1], 'services')).toEqual(['ops']);
    expect(await find([1, 2], 'release', 'ops/deploy')).toEqual(['ops/deploy']);
    expect(await find([1, 2], 'quiet')).toEqual([]);
    expect(await find([1, 2], '')).toEqual(['ops', 'ops/deploy']);
    expect(await find([2], ' ')).toEqual(['ops']);
    expect(await find([1, 2], '', 'ops/deploy')).toEqual(['ops/deploy']);
    expect(await find([1, 2], '', 'ops/hidden')).toEqual([]);
    expect(await find([1, 2], 'release', 'ops/hidden')).toEqual([]);
  });
}

async function apply(model: DomainModel, change: Step): Promise<void> {
  switch (change.kind) {
    case 'put':
      await model.putHeads(change.layer, change.heads);
      break;
    case 'remove':
      await model.removeHeads(change.layer, change.ids);
      break;
    case 'describe':
      await model.putDomains(change.layer, change.domains);
      break;
    case 'undescribe':
      await model.removeDomains(change.layer, change.paths);
      break;
  }
}

function historyConformance(open: OpenStore, histories: number): void {
  test('returns the same results as the view in memory after random histories', async () => {
    const store = await openForTest(open);
    let tenant = TENANT;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 10 }),
        fc.array(question, { minLength: 8, maxLength: 8 }),
        async (steps, questions) => {
          tenant += 1;
          const model = createDomainModel(store, tenant);
          for (const change of steps) await apply(model, change);
          const paths = questions.map(({ path }) => path);
          for (const sampledQuery of questions) {
            const { layers } = sampledQuery;
            const search = { query: sampledQuery.query, scope: sampledQuery.path, top_k: 3 };
            expect(await queryAll(model.reader(layers), sampledQuery)).toEqual(
              await queryAll(model.expectedReader(layers), sampledQuery),
            );
            expect(await model.search(layers, search)).toEqual(
              model.expectedSearch(layers, search),
            );
            const described = await model.describe(layers, paths);
            expect(described.sort(byPath)).toEqual(
              model.expectedDescriptions(layers, paths).sort(byPath),
            );
          }
        },
      ),
      { numRuns: histories },
    );
  });
}

function byPath(a: { path: string }, b: { path: string }): number {
  return compareBytes(a.path, b.path);
}

async function queryAll(reader: DomainReader, sampledQuery: Question): Promise<unknown> {
  const children = await reader.listChildren([sampledQuery.path], ALL);
  const paths = children.map((child) => child.path);
  const folded = paths.filter((_, index) => index % 2 === 0);
  const query = { path: sampledQuery.path, folded };
  const around = [...paths, ...pathAndAbove(sampledQuery.path), 'nowhere'];
  return {
    node: await reader.getNode(sampledQuery.path),
    domain: await reader.getDomain(sampledQuery.path),
    children,
    some: await reader.listChildren(around, sampledQuery.limits),
    paged: await pageChildren(reader, sampledQuery.path, sampledQuery.page),
    counts: await reader.countArtifacts([sampledQuery.path, ...around]),
    small: await reader.listSmall(paths, sampledQuery.fewer_than),
    members: await pageMembers(reader, query, sampledQuery.page),
    named: (await reader.getMembers(query, sampledQuery.ids)).sort((a, b) =>
      compareBytes(a.id, b.id),
    ),
    tags: await reader.listTags(sampledQuery.path, sampledQuery.page),
    map: await renderOrCatch(reader, { path: sampledQuery.path, ...sampledQuery.request }),
  };
}

async function pageMembers(
  reader: DomainReader,
  query: MemberQuery,
  size: number,
): Promise<unknown[]> {
  const members: Awaited<ReturnType<DomainReader['listMembers']>> = [];
  for (;;) {
    const page = await reader.listMembers(query, members.at(-1), size);
    members.push(...page);
    if (page.length < size) return members;
  }
}

async function pageChildren(
  reader: DomainReader,
  path: string,
  size: number,
): Promise<DomainNode[]> {
  const children: DomainNode[] = [];
  for (;;) {
    const after = children.at(-1)?.path ?? '';
    const page = await reader.listChildren([path], { each: size, all: size, after });
    children.push(...page);
    if (page.length < size) return children;
  }
}

async function renderOrCatch(reader: DomainReader, request: DomainMapRequest): Promise<unknown> {
  try {
    return await renderDomainMap(reader, request);
  } catch (error) {
    return String(error);
  }
}
