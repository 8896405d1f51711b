import { store, tab } from './storage.ts';

/** Set while a user is signed in, to distinguish an expired session from no session. */
export const SIGNED_IN_KEY = 'signed-in';

export function rememberSignedIn(): void {
  store(tab, SIGNED_IN_KEY, '1');
}
