import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { IdentityVerdict } from '@catalog/core/identity/caller';
import { SESSION_COOKIE } from '../identity/bearer-credential.ts';
import type { IdentityProvider } from '../identity/provider.ts';

/** What the provider makes of a session's token: asked in the very way the browser's next request asks. */
export async function verifySession(
  identity: IdentityProvider,
  token: string,
): Promise<IdentityVerdict> {
  const next = new IncomingMessage(new Socket());
  next.headers = { cookie: `${SESSION_COOKIE}=${token}` };
  return identity.identify(next);
}
