import { searchResponse, type SearchResponse } from '@catalog/contract/records/discovery';
import { sendRequest } from '../serve-kill/client.ts';

export interface Search {
  query: string;
  ms: number;
  /** Undefined without a valid response. */
  answer: SearchResponse | undefined;
}

export async function search(
  url: string,
  query: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Search> {
  const params = new URLSearchParams({ query, ...more });
  const began = performance.now();
  const response = await sendRequest(`${url}/v1/search_artifacts?${params.toString()}`);
  const ms = performance.now() - began;
  return { query, ms, answer: response?.status === 200 ? toAnswer(response.body) : undefined };
}

function toAnswer(body: unknown): SearchResponse | undefined {
  const parsed = searchResponse.safeParse(body);
  return parsed.success ? parsed.data : undefined;
}

export interface Searchers {
  stop(): Promise<Search[]>;
}

export function startSearchers(
  url: string,
  count: number,
  queryOf: (number: number) => string,
): Searchers {
  const searches: Search[] = [];
  let number = 0;
  const stopping = new AbortController();
  const running = Array.from({ length: count }, async () => {
    while (!stopping.signal.aborted) searches.push(await search(url, queryOf(number++)));
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
      return searches;
    },
  };
}
