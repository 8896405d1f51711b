import { now } from '../clock.ts';
import { readStored, store, tab } from './storage.ts';

const KEY = 'return-to';
const MAX_AGE_MS = 15 * 60 * 1000;

/**
 * Remembers the page before a sign-in. Afterwards the registry always redirects to `/app/`, so that no URL can name
 * another target.
 */
export function rememberPage(): void {
  const { pathname, search, hash } = location;
  store(tab, KEY, JSON.stringify({ path: `${pathname}${search}${hash}`, at: now() }));
}

/** Returns the remembered page once, if it is recent and the browser is at `/app/`. */
export function takeRememberedPage(): string | undefined {
  if (location.pathname !== '/app/' || location.search !== '') return undefined;
  const stored = readStored(tab, KEY);
  store(tab, KEY, undefined);
  if (stored === undefined) return undefined;
  const { path, at }: { path?: unknown; at?: unknown } = JSON.parse(stored);
  if (typeof path !== 'string' || typeof at !== 'number') return undefined;
  const isRecent = now() - at < MAX_AGE_MS;
  return isRecent && path.startsWith('/app/') && path !== '/app/' ? path : undefined;
}
