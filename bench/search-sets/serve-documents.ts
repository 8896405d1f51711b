import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchResponse } from '@catalog/contract/records/discovery';
import type { ReembedResult } from '@catalog/contract/records/reembed';
import type { SearchDocument } from '@catalog/core/ports/search-index';
import { METRICS_DEPTH } from '@catalog/core/search/metrics';
import { startRegistryProcess, untilIngested, untilKilled } from '../registry-process.ts';
import { writeDocuments } from './write-documents.ts';

/** Answers each query with the ids it found, best first, from a registry that holds the documents. */
export async function askServed(
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

/** The request answers when the last artifact has its vector. */
async function untilEmbedded(url: string): Promise<void> {
  const asked = new URL('/v1/admin/reembed?only_missing=true', url);
  const { failed, failures }: ReembedResult = await read(await fetch(asked, { method: 'POST' }));
  if (failed > 0) throw new Error(`not embedded: ${failures[0]?.reason}`);
}

async function search(url: string, query: string): Promise<string[]> {
  const asked = new URL('/v1/search_artifacts', url);
  asked.search = new URLSearchParams({ query, top_k: String(METRICS_DEPTH) }).toString();
  const { results, degraded }: SearchResponse = await read(await fetch(asked));
  if (degraded === true) throw new Error(`the vectors did not answer: ${query}`);
  return results.map(({ id }) => id);
}

async function read<Body>(answer: Response): Promise<Body> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}
