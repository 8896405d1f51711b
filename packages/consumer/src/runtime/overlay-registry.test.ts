import { existsSync, rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFaultyProxy } from '@catalog/testkit/faulty-proxy';
import { startRegistry } from '@catalog/testkit/registry-server';
import { createRuntimePlace, type RuntimePlace } from '@catalog/testkit/runtime-place';
import { temporaryFolder, writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import type { RuntimeRegistry } from './runtime-registry.ts';

function rule(id: string, version: string, description: string, more = ''): FileTree {
  const text = `---\ntype: rule\nversion: ${version}\nrule_mode: always\ndescription: ${description}\n${more}---\nBe kind.\n`;
  return { [`${id}/ARTIFACT.md`]: text };
}

const CATALOG: FileTree = Object.assign(
  { 'tea/DOMAIN.md': '---\ndescription: Everything about tea.\n---\n' },
  ...Array.from({ length: 60 }, (_, number) =>
    rule(
      `tea/kind-${String(number).padStart(2, '0')}`,
      '1.0.0',
      `How to make tea number ${number}.`,
    ),
  ),
);

interface Stage {
  place: RuntimePlace;
  overlay: string;
  registry: RuntimeRegistry;
  served: RuntimeRegistry;
  rejected: string[];
  paths: readonly string[];
  close: () => Promise<void>;
}

async function openStage(files: FileTree): Promise<Stage> {
  // Without embeddings, so that the number of results depends on words only.
  const server = await startRegistry({
    layers: { base: CATALOG },
    settings: { no_embeddings: true },
  });
  const proxy = await startFaultyProxy(server.url);
  onTestFinished(() => proxy.close());
  const place = createRuntimePlace(temporaryFolder(), proxy.url);
  const overlay = `${place.workspace}/.catalog/overlay`;
  writeTree(overlay, files);
  const rejected: string[] = [];
  const registry = place.open('always-revalidate', {
    overlay: () => (existsSync(overlay) ? overlay : undefined),
    onRejected: (rows) => rejected.push(...rows.map(({ artifact_id }) => artifact_id)),
  });
  const served = place.open('always-revalidate');
  return {
    place,
    overlay,
    registry,
    served,
    rejected,
    paths: proxy.paths,
    close: () => proxy.close(),
  };
}

describe('search with an overlay', () => {
  test('finds artifacts that the overlay adds, by their own words', async () => {
    const { registry } = await openStage(rule('own/coffee', '0.1.0', 'How to make coffee.'));
    const found = await registry.searchArtifacts({ query: 'coffee' });
    expect(found).toMatchObject({ total_matched: 1, results: [{ id: 'own/coffee' }] });
  });

  test('finds replaced artifacts only by their new words and returns the correct total', async () => {
    const { registry, served } = await openStage({
      ...rule('tea/kind-07', '9.0.0', 'How to make coffee.'),
      ...rule('tea/kind-08', '9.0.0', 'Another way to make tea.'),
      ...rule('tea/new', '1.0.0', 'A new way to make tea.'),
      ...rule('tea/hidden', '1.0.0', 'A forgotten way to make tea.', 'deprecated: true\n'),
    });
    const query = 'make tea';
    expect((await served.searchArtifacts({ query })).total_matched).toBe(60);
    const coffee = await registry.searchArtifacts({ query: 'coffee' });
    expect(coffee).toMatchObject({ total_matched: 1, results: [{ id: 'tea/kind-07' }] });
    const found = await registry.searchArtifacts({ query, top_k: 3 });
    expect(found.total_matched).toBe(61);
    expect(found.results).toHaveLength(3);
    expect((await served.searchArtifacts({ query: 'number' })).total_matched).toBe(60);
    const numbered = await registry.searchArtifacts({ query: 'number', top_k: 3 });
    expect(numbered.total_matched).toBe(58);
    expect((await registry.searchArtifacts({ top_k: 3 })).total_matched).toBe(61);
    expect((await registry.searchArtifacts({ scope: 'tea/kind-07' })).results).toMatchObject([
      { id: 'tea/kind-07', version: '9.0.0' },
    ]);
  });

  test('hides artifacts that the overlay replaces with a deprecated one', async () => {
    const files = rule('tea/kind-07', '9.0.0', 'How to make tea.', 'deprecated: true\n');
    const { registry } = await openStage(files);
    const found = await registry.searchArtifacts({ scope: 'tea/kind-07' });
    expect(found).toMatchObject({ total_matched: 0, results: [] });
    expect((await registry.searchArtifacts({ top_k: 50 })).total_matched).toBe(59);
  });

  test('sends one request per search once it knows which ids the registry serves', async () => {
    const { registry, paths } = await openStage({
      ...rule('own/a', '1.0.0', 'Tea.'),
      ...rule('own/b', '1.0.0', 'Tea.'),
    });
    for (const query of ['tea', 'make']) {
      const before = paths.length;
      expect((await registry.searchArtifacts({ query, top_k: 2 })).results).toHaveLength(2);
      expect(paths.length - before).toBe(query === 'tea' ? 3 : 1);
    }
  });

  test('returns domains of the overlay and the registry without duplicates', async () => {
    const { registry } = await openStage({
      'tea/DOMAIN.md': '---\ndescription: Tea as we drink it.\n---\n',
      'coffee/DOMAIN.md': '---\ndescription: Not tea at all.\n---\n',
      ...rule('coffee/brew', '1.0.0', 'How to brew.'),
    });
    const found = await registry.searchDomains({ query: 'tea' });
    expect(found.total_matched).toBe(2);
    const descriptions = Object.fromEntries(
      found.domains.map((domain) => [domain.path, domain.description]),
    );
    expect(descriptions).toEqual({ coffee: 'Not tea at all.', tea: 'Tea as we drink it.' });
  });
});

describe('loadDomain with an overlay', () => {
  test('includes artifacts that the overlay adds or replaces', async () => {
    const { registry } = await openStage({
      ...rule('tea/kind-00', '9.0.0', 'The only tea.'),
      ...rule('tea/fresh', '1.0.0', 'A fresh one.'),
      ...rule('coffee/beans/roast', '1.0.0', 'How to roast.'),
    });
    const root = await registry.loadDomain({ depth: 1 });
    expect(root.subdomains.map(({ path }) => path)).toEqual(['coffee', 'tea']);
    const tea = await registry.loadDomain({ path: 'tea' });
    expect(tea.description).toBe('Everything about tea.');
    const named = new Map(tea.notable.map(({ id, version }) => [id, version]));
    expect(named.get('tea/kind-00')).toBe('9.0.0');
    expect(named.get('tea/fresh')).toBe('1.0.0');
    expect(named.get('tea/kind-01')).toBe('1.0.0');
    expect(await registry.loadDomain({ path: 'coffee/beans' })).toMatchObject({
      notable: [{ id: 'coffee/beans/roast' }],
    });
    await expect(registry.loadDomain({ path: 'cocoa' })).rejects.toMatchObject({
      code: 'domain.not_found',
    });
  });
});

describe('loadArtifact with an overlay', () => {
  test("returns the overlay's artifact, or the registry's if the overlay lacks the version", async () => {
    const { registry } = await openStage(rule('tea/kind-00', '9.0.0', 'The only tea.'));
    const loaded = await registry.loadArtifact({ id: 'tea/kind-00' });
    expect(loaded).toMatchObject({ layer: 'overlay', artifact: { version: '9.0.0' } });
    const below = await registry.loadArtifact({ id: 'tea/kind-00', version: '1.0.0' });
    expect(below).toMatchObject({ layer: 'base', artifact: { version: '1.0.0' } });
  });

  test('merges extended artifacts, even if the registry is unreachable', async () => {
    const { place, overlay, registry, close } = await openStage(
      rule('own/tea', '1.0.0', 'Ours.', 'extends: tea/kind-00\n'),
    );
    const { artifact } = await registry.loadArtifact({ id: 'own/tea' });
    expect(artifact.description).toBe('Ours.');
    await registry.loadArtifact({ id: 'tea/kind-00' });
    await close();
    const away = place.open('offline-first', { overlay: () => overlay });
    const again = await away.loadArtifact({ id: 'own/tea' });
    expect(again.artifact.content_hash).toBe(artifact.content_hash);
  });

  test('rejects invalid artifacts, reports them, and serves the rest', async () => {
    const { registry, rejected } = await openStage({
      ...rule('tea/kind-00', '9.0.0', 'Nobody.', 'extends: tea/unheard-of\n'),
      ...rule('tea/fresh', '1.0.0', 'See [the first](tea/kind-00).'),
      'tea/broken/ARTIFACT.md': '---\ntype: rule\n',
    });
    expect(await registry.loadArtifact({ id: 'tea/kind-00' })).toMatchObject({ layer: 'base' });
    expect(await registry.loadArtifact({ id: 'tea/fresh' })).toMatchObject({ layer: 'overlay' });
    expect(rejected.sort()).toEqual(['tea/broken', 'tea/kind-00']);
  });
});

test('an overlay registry notices changes on disk at the next request', async () => {
  const { overlay, registry } = await openStage(rule('own/coffee', '1.0.0', 'How to make coffee.'));
  expect((await registry.searchArtifacts({ query: 'coffee' })).total_matched).toBe(1);
  writeTree(overlay, rule('own/espresso', '1.0.0', 'How to make strong coffee.'));
  expect((await registry.searchArtifacts({ query: 'coffee' })).total_matched).toBe(2);
  writeTree(overlay, rule('own/coffee', '1.0.1', 'How to make cocoa.'));
  expect((await registry.loadArtifact({ id: 'own/coffee' })).artifact.version).toBe('1.0.1');
  rmSync(overlay, { recursive: true });
  expect((await registry.searchArtifacts({ query: 'coffee' })).total_matched).toBe(0);
});
