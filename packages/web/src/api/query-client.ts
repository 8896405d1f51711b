import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query';
import { RegistryError } from './errors.ts';
import { sessionQuery } from './queries.ts';

const MAX_RETRIES = 2;

const DENIED: ReadonlySet<number> = new Set([401, 403]);

export function createQueryClient(): QueryClient {
  // The default scheduler would wait for a timer before a response is rendered.
  notifyManager.setScheduler(queueMicrotask);
  const client: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      // A rejected change can mean that the session has expired.
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
        // An error of the registry would be the same on a retry; a lost connection may recover.
        retry: (failures, error) => failures < MAX_RETRIES && !(error instanceof RegistryError),
        retryDelay: (failure) => 300 * 2 ** failure,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
