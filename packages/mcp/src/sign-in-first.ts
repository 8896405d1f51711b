import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { delay } from '@catalog/sdk/patience';
import {
  addressOf,
  codeOf,
  describeSignIn,
  SignInPending,
  type Confirmation,
} from './sign-in-pending.ts';
import type { ToolContext } from './tools/tool.ts';

/** How long a call waits for a person who is in the browser; hosts give a call a minute. */
const IN_THE_BROWSER_MS = 20_000;

type Asking = Pick<ToolContext, 'host' | 'signal'>;

/**
 * Does something as the person who is signed in. Where nobody is, the host shows the address to sign in
 * at, and the call goes on after that; a host that cannot gets the address as the answer, at once.
 */
export async function afterSignIn<T>(run: () => Promise<T>, asking: Asking): Promise<T> {
  try {
    return await attempt(run, asking);
  } catch (error) {
    if (!hasEnded(error)) throw error;
    // Nobody is signed in any more: asked again, this starts another sign-in.
    return attempt(run, asking);
  }
}

async function attempt<T>(run: () => Promise<T>, asking: Asking): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SignInPending)) throw error;
    if (!(await isConfirmed(error.confirmation, asking))) throw error;
    return run();
  }
}

/** Whether there is something to try again: the address was shown, and somebody answered. */
async function isConfirmed(confirmation: Confirmation, { host, signal }: Asking): Promise<boolean> {
  const key = `sign-in-${codeOf(confirmation)}`;
  const { named_by, registry, sign_in, is_shown, decline } = confirmation;
  const answer = host.addressAnswer(key);
  if (answer === 'accept') {
    await Promise.race([sign_in.ended, delay(IN_THE_BROWSER_MS, signal)]);
    return true;
  }
  // A registry that may have come with a clone gets no token unless the person was asked (T51).
  if (answer === 'decline' || (named_by !== undefined && !host.shows_addresses)) {
    decline();
    return true;
  }
  if (answer !== undefined || is_shown || !host.shows_addresses) return false;
  confirmation.is_shown = true;
  const from = named_by === undefined ? '' : `, which only ${named_by} names`;
  return host.showAddress(
    key,
    `Sign in to the catalog at ${registry}${from}: confirm the code ${codeOf(confirmation)}. ${describeSignIn(confirmation)}`,
    addressOf(confirmation),
  );
}

function hasEnded(error: unknown): boolean {
  return error instanceof CatalogError && error.code === 'auth.token_expired';
}
