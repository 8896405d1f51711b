import { createHash } from 'node:crypto';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { searchInMemory } from '@catalog/consumer/discover/search-in-memory';
import { readArtifact } from '@catalog/core/artifact/read-artifact';
import { documentTerms } from '@catalog/core/search/document-terms';
import { queryTerms } from '@catalog/core/search/query-terms';
import { readFolderRegistry } from '@catalog/core/node/read-folder-registry';
import type { SearchDocument } from '@catalog/core/ports/search-index';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { BASELINE_METHODS, rankWithBaselines } from '../bench/search-sets/bare-rankings.ts';
import { heldOutPackages } from '../bench/search-sets/held-out-set.ts';
import { readOwnArtifacts, readOwnQueries, readOwnSets } from '../bench/search-sets/own-set.ts';
import { readReferenceSets } from '../bench/search-sets/reference-sets.ts';
import { readUnanswered } from '../bench/search-sets/unanswered-set.ts';
import { namelessDocument, type SearchSet } from '../bench/search-sets/search-set.ts';
import { writeDocuments } from '../bench/search-sets/write-documents.ts';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe('the own set', () => {
  const artifacts = readOwnArtifacts();
  const queries = readOwnQueries();

  test('is large enough, contains every kind, and consists half of paraphrases', () => {
    expect(artifacts.length).toBeGreaterThanOrEqual(300);
    expect(queries.length).toBeGreaterThanOrEqual(200);
    expect(queries.filter(({ kind }) => kind === 'paraphrase')).toHaveLength(queries.length / 2);
    const counts = Map.groupBy(artifacts, ({ type }) => type);
    for (const type of ['skill', 'agent', 'rule', 'command', 'hook', 'mcp-server']) {
      expect(counts.get(type)?.length, type).toBeGreaterThanOrEqual(35);
    }
  });

  test('has unique artifacts, descriptions and queries', () => {
    for (const texts of [
      artifacts.map(({ id }) => id),
      artifacts.map(({ description }) => description.toLowerCase()),
      queries.map(({ query }) => query.toLowerCase()),
    ]) {
      expect(new Set(texts).size).toBe(texts.length);
    }
  });

  test('has one to three relevant artifacts for each query', () => {
    const ids = new Set(artifacts.map(({ id }) => id));
    for (const { query, relevant } of queries) {
      expect([1, 2, 3], query).toContain(relevant.length);
      expect(new Set(relevant).size, query).toBe(relevant.length);
      for (const id of relevant) expect(ids, query).toContain(id);
    }
  });

  // The set was written before any result was known. After a change, add both results to its
  // README.
  test('is unchanged', () => {
    const written = { artifacts, queries };
    expect(sha256(JSON.stringify(written))).toBe(
      'f11bc4b2af363e5ef359f18ad80c15b3f2ad7e10f0ef0e623df22c7c686a19db',
    );
  });
});

function toArtifacts({ documents }: SearchSet) {
  return documents.map(({ id, type, name, description, tags, when_to_use }) => ({
    id,
    type,
    version: '1.0.0',
    name,
    description,
    fields: { type, version: '1.0.0', tags: [...tags], when_to_use: [...when_to_use] },
  }));
}

async function shareAnswered(set: SearchSet, queries: readonly string[]): Promise<number> {
  const layers = [{ name: 'x', artifacts: toArtifacts(set) }];
  let answered = 0;
  for (const query of queries) {
    const { total_matched } = await searchInMemory(layers, { query });
    if (total_matched > 0) answered += 1;
  }
  return answered / queries.length;
}

const [referenceSet] = readReferenceSets();
const [ownSet] = readOwnSets();

describe.each([
  ['reference', referenceSet],
  ['own', ownSet],
])('in the %s set', { timeout: 120_000 }, (_name, set) => {
  test('at most 2 % of nonsense queries return results', async () => {
    const queries = readUnanswered('nonsense');
    expect(queries.length).toBeGreaterThanOrEqual(100);
    expect(await shareAnswered(set, queries)).toBeLessThanOrEqual(0.02);
  });

  test('at most 30 % of off-topic queries without a shared word return results', async () => {
    const words = new Set(set.documents.flatMap((document) => [...documentTerms(document).keys()]));
    const queries = readUnanswered('off-topic').filter(
      (query) => !queryTerms(query).some((term) => words.has(term)),
    );
    expect(queries.length).toBeGreaterThanOrEqual(30);
    expect(await shareAnswered(set, queries)).toBeLessThanOrEqual(0.3);
  });
});

test('the reference sets have one document for each query', () => {
  const [a, a2] = readReferenceSets();
  expect([a.documents.length, a.queries.length, a2.queries.length]).toEqual([164, 167, 164]);
  const ids = new Set(a.documents.map(({ id }) => id));
  for (const { query, relevant } of [...a.queries, ...a2.queries]) {
    expect(
      [...relevant].map((id) => ids.has(id)),
      query,
    ).toEqual([true]);
  }
});

test('a registry reads the documents of a set unchanged from a folder', () => {
  const documents = [
    ...(readOwnSets()[0]?.documents ?? []),
    namelessDocument(7, 'a: "b" # c\n- d'),
  ];
  const folder = temporaryFolder();
  writeDocuments(folder, documents);
  const packages = readFolderRegistry(folder).layers.flatMap((layer) => layer.packages);
  const read = packages.map((pkg): SearchDocument => {
    const reading = readArtifact(pkg);
    if (reading.kind !== 'ok') throw new Error(`${pkg.id} cannot be read`);
    const { id, type, name, description, fields } = reading.artifact;
    const { tags = [], when_to_use = [] } = fields;
    return { id, type, tags, name, description, when_to_use };
  });
  const byId = (a: SearchDocument, b: SearchDocument): number => compareBytes(a.id, b.id);
  expect(read.sort(byId)).toEqual(documents.sort(byId));
});

describe('held-out packages', () => {
  const body =
    'Reads and writes things of many kinds, for whoever has such things to read and write';
  // The hash of its name determines if a source is held out: `fir` and `curl` are, `oak` is not.
  const record = (name: string, title: string, text: string): string =>
    `Package: ${name}\nDescription-md5: 0\nDescription-en: ${title}\n ${text}\n`;
  const sources =
    'Package: fir\n\nPackage: fir-doc\nSource: fir\n\nPackage: curl\n\nPackage: oak\n';

  function titles(...records: string[]): string[] {
    return heldOutPackages(sources, records.join('\n')).map(({ title }) => title);
  }

  test('contain one package of each source that was excluded from training', () => {
    const found = titles(
      record('oak', 'first', `${body} a.`),
      record('fir', 'second', `${body} b.`),
      record('fir-doc', 'third', `${body} c.`),
      record('curl', 'fourth', `${body} e.`),
      record('z', 'of no source', `${body} z.`),
    );
    expect(found.toSorted()).toEqual(['fourth', 'second']);
  });

  test('have a unique title and a unique description without the title', () => {
    expect(titles(record('fir', 'one', `${body} b.`), record('curl', 'One', `${body} e.`))).toEqual(
      [],
    );
    expect(titles(record('fir', 'one', body), record('curl', 'two', body))).toEqual([]);
    expect(titles(record('fir', 'a dummy package', body))).toEqual([]);
    const [made] = heldOutPackages(
      sources,
      record('fir', 'C++ (1.0)', `The c++ (1.0).\n .\n ${body}`),
    );
    expect(made?.text).toBe(`The  . ${body}`);
  });
});

test('rankings by words, by vectors and by both are correct for clear cases', () => {
  const documents = ['Peel and slice apples.', 'Repair a car engine.', 'Sing a song.'].map(
    (text, at) => namelessDocument(at, text),
  );
  const toQuery = (query: string) => ({ query, relevant: new Set<string>() });
  const ranked = rankWithBaselines({
    name: 'fruit',
    documents,
    queries: [toQuery('apples'), toQuery('fix the automobile motor')],
  });
  for (const way of BASELINE_METHODS) expect(ranked[way][0]?.[0], way).toBe('n0');
  expect(ranked.bm25).toEqual([['n0'], []]);
  for (const way of ['vectors', 'rrf', 'sum'] as const) expect(ranked[way][1]?.[0]).toBe('n1');
});
