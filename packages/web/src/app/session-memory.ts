import { store, tab } from './storage.ts';

/** Set while a user is signed in, so that the page can tell an expired session from none. */
export const SIGNED_IN_KEY = 'signed-in';

export function rememberSignedIn(): void {
  store(tab, SIGNED_IN_KEY, '1');
}
