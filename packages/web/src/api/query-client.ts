import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query';
import { RegistryError } from './errors.ts';
import { sessionQuery } from './queries.ts';

const MAX_RETRIES = 2;

const DENIED: ReadonlySet<number> = new Set([401, 403]);

export function createQueryClient(): QueryClient {
  // The default scheduler waits for a timer before it renders a response.
  notifyManager.setScheduler(queueMicrotask);
  const client: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      // A denied change can mean that the session has expired since the page was opened.
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
        // The registry would return the same error again; a lost connection may recover.
        retry: (failures, error) => failures < MAX_RETRIES && !(error instanceof RegistryError),
        retryDelay: (failure) => 300 * 2 ** failure,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
