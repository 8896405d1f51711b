import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/parts.css';
import './styles/pages.css';
import './styles/layers.css';
import './styles/markdown.css';
import './styles/modes.css';
import {
  MutationCache,
  notifyManager,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { takeRememberedPage } from './app/return-path.ts';
import { applyTheme } from './app/theme.ts';
import { RegistryError } from './api/errors.ts';
import { sessionQuery } from './api/queries.ts';

applyTheme();
const remembered = takeRememberedPage();
if (remembered !== undefined) history.replaceState(null, '', remembered);

const MAX_RETRIES = 2;

const DENIED: ReadonlySet<number> = new Set([401, 403]);

// The default waits for a timer before each render of a response.
notifyManager.setScheduler(queueMicrotask);

const client = new QueryClient({
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

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root element.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
