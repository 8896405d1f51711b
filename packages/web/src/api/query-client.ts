import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query';
import { RegistryError } from './errors.ts';
import { sessionQuery } from './queries.ts';

const MAX_RETRIES = 2;

const DENIED: ReadonlySet<number> = new Set([401, 403]);

/** Creates the cache of all responses. */
export function createQueryClient(): QueryClient {
  // The default waits for a timer before each render of a response.
  notifyManager.setScheduler(queueMicrotask);
  const client: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      // A change is denied if the session has expired since the page was opened.
      onError: (error) => {
        if (error instanceof RegistryError && DENIED.has(error.status)) {
          void client.invalidateQueries(sessionQuery);
        }
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        refetchOnWindowFocus: false,
        // An answer of the registry stays the same; a lost connection may come back.
        retry: (failures, error) => failures < MAX_RETRIES && !(error instanceof RegistryError),
        retryDelay: (failure) => 300 * 2 ** failure,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
