import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { delay } from '@catalog/sdk/idle-timeout';
import {
  signInUrl,
  codeOf,
  describeSignIn,
  SignInPending,
  type Confirmation,
} from './sign-in-pending.ts';
import type { ToolContext } from './tools/tool.ts';

/** Maximum wait for a sign-in in the browser; hosts allow a minute per call. */
const BROWSER_WAIT_MS = 20_000;

type SignInContext = Pick<ToolContext, 'host' | 'signal'>;

/**
 * Runs a call after a required sign-in. The host shows the URL of the sign-in, and the call continues afterwards. A
 * host that cannot show URLs gets the URL in the response.
 */
export async function afterSignIn<T>(
  run: () => Promise<T>,
  signInContext: SignInContext,
): Promise<T> {
  try {
    return await attempt(run, signInContext);
  } catch (error) {
    if (!hasEnded(error)) throw error;
    // The session has ended, so another attempt starts a new sign-in.
    return attempt(run, signInContext);
  }
}

async function attempt<T>(run: () => Promise<T>, signInContext: SignInContext): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SignInPending)) throw error;
    if (!(await isConfirmed(error.confirmation, signInContext))) throw error;
    return run();
  }
}

/** Returns true if the URL was shown and the user confirmed. */
async function isConfirmed(
  confirmation: Confirmation,
  { host, signal }: SignInContext,
): Promise<boolean> {
  const key = `sign-in-${codeOf(confirmation)}`;
  const { named_by, registry, sign_in, is_shown, decline } = confirmation;
  const answer = host.addressAnswer(key);
  if (answer === 'accept') {
    await Promise.race([sign_in.ended, delay(BROWSER_WAIT_MS, signal)]);
    return true;
  }
  // The workspace file may come from a clone. Its registry gets no token without approval of the user (T51).
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
    signInUrl(confirmation),
  );
}

function hasEnded(error: unknown): boolean {
  return error instanceof CatalogError && error.code === 'auth.token_expired';
}
