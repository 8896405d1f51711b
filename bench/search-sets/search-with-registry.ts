import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchResponse } from '@catalog/contract/records/discovery';
import type { SearchDocument } from '@catalog/core/ports/search-index';
import { METRICS_DEPTH } from '@catalog/core/search/metrics';
import {
  startRegistryProcess,
  untilEmbedded,
  untilIngested,
  untilKilled,
} from '../registry-process.ts';
import { writeDocuments } from './write-documents.ts';

export async function searchWithRegistry(
  folder: string,
  documents: readonly SearchDocument[],
  queries: Iterable<string>,
  env: Readonly<Record<string, string>> = {},
): Promise<Map<string, string[]>> {
  const [layer, home] = [join(folder, 'layer'), join(folder, 'home')];
  writeDocuments(layer, documents);
  mkdirSync(home);
  const start = () => startRegistryProcess(home, { flags: ['--layer-path', layer], env });
  return untilKilled(start, async ({ url }) => {
    await untilIngested(url);
    await untilEmbedded(url);
    const answers = new Map<string, string[]>();
    for (const query of queries) answers.set(query, await search(url, query));
    return answers;
  });
}

async function search(url: string, query: string): Promise<string[]> {
  const requestUrl = new URL('/v1/search_artifacts', url);
  requestUrl.search = new URLSearchParams({ query, top_k: String(METRICS_DEPTH) }).toString();
  const answer = await fetch(requestUrl);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  const { results, degraded }: SearchResponse = JSON.parse(text);
  if (degraded === true) throw new Error(`the vectors did not answer: ${query}`);
  return results.map(({ id }) => id);
}
