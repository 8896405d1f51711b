import { Agent, request } from 'node:http';

/** An answer, when it was there and how long it took. */
export interface Answered {
  at_ms: number;
  ms: number;
  status: number;
}

/** Somebody who searches in a tenant at one process. */
export interface Searcher {
  search(): Promise<Answered>;
  close(): void;
}

export function openSearcher(
  url: string,
  headers: Readonly<Record<string, string>>,
  connections: number,
): Searcher {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    search: () =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        const outgoing = request(
          `${url}/v1/search_artifacts?query=greet`,
          { agent, headers },
          (incoming) => {
            incoming.on('error', reject);
            incoming.on('end', () => {
              const at_ms = performance.now();
              resolve({ at_ms, ms: at_ms - began, status: incoming.statusCode ?? 0 });
            });
            incoming.resume();
          },
        );
        outgoing.on('error', reject);
        outgoing.end();
      }),
    close: () => agent.destroy(),
  };
}

/** Searches so often in a second, whether or not the answers come, until it is stopped. */
export function demand(searcher: Searcher, rate: number): () => Promise<Answered[]> {
  const answers: Promise<Answered>[] = [];
  const began = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1000) * rate);
    while (answers.length < due) answers.push(searcher.search());
  }, 2);
  return () => {
    clearInterval(timer);
    return Promise.all(answers);
  };
}

/**
 * The most that were admitted within any second, wherever it begins: those that were asked for and
 * answered in it. When a request was admitted between the two, nobody outside can tell.
 */
export function mostOfASecond(answers: readonly Answered[]): number {
  return Math.max(
    0,
    ...answers.map(
      ({ at_ms: end }) =>
        answers.filter(({ at_ms, ms }) => at_ms <= end && at_ms - ms > end - 1000).length,
    ),
  );
}
