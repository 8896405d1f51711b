import { hash, timingSafeEqual } from 'node:crypto';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { SendRequest } from '../adapters/egress/send-request.ts';
import type { IdentityProvider } from '../identity/provider.ts';
import { exchangeCode } from './exchange-code.ts';
import { audienceParameters, invalidCallback, type SignInSettings } from './sign-in-settings.ts';
import { createTransactionSealer, type Transaction } from './transaction.ts';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { IdentityVerdict } from '@catalog/core/identity/caller';
import { SESSION_COOKIE } from '../identity/bearer-credential.ts';

export interface SignInTools {
  send: SendRequest;
  identity: IdentityProvider;
  newSecret: () => string;
  now: () => Date;
}

export interface SignInCallback {
  sealed: string | undefined;
  search: string;
  requireIssuance(): void;
  signal: AbortSignal;
}

export interface BrowserSignIn {
  readonly transaction_ttl_seconds: number;
  start(): Promise<{ location: string; sealed: string }>;
  /** Finishes a sign-in and returns the access token of the session; undefined if the provider returned an error. */
  finish(returned: SignInCallback): Promise<string | undefined>;
}

/** Maximum size of a token. Browsers drop cookies over 4096 bytes, which include name and attributes. */
const MAX_TOKEN_BYTES = 3584;

export function createBrowserSignIn(settings: SignInSettings, tools: SignInTools): BrowserSignIn {
  const { transaction_ttl_seconds } = settings;
  const sealer = createTransactionSealer(
    settings.client_secret,
    transaction_ttl_seconds,
    tools.now,
  );

  async function exchange(
    query: URLSearchParams,
    transaction: Transaction,
    signal: AbortSignal,
  ): Promise<string> {
    try {
      return await exchangeCode(query, transaction, settings, tools.send, signal);
    } catch (error) {
      const isUnavailable = error instanceof CatalogError && error.code === 'registry.unavailable';
      if (isUnavailable && !signal.aborted) tools.identity.suspect();
      throw error;
    }
  }

  async function finish(returned: SignInCallback): Promise<string | undefined> {
    const { sealed, search } = returned;
    const query = new URLSearchParams(search);
    const transaction = sealed === undefined ? undefined : await sealer.open(sealed);
    // This check comes before all others of the query (SESS-15).
    if (transaction === undefined) {
      throw invalidCallback('This sign-in was started in another browser, or it expired.');
    }
    if (!isSame(query.getAll('state'), transaction.state)) {
      throw invalidCallback('This sign-in does not match the one started in this browser.');
    }
    if (query.has('error')) return undefined;
    returned.requireIssuance();
    const token = await exchange(query, transaction, returned.signal);
    await requireAccepted(token, tools);
    return token;
  }

  return {
    transaction_ttl_seconds,
    async start() {
      const transaction = {
        state: tools.newSecret(),
        verifier: tools.newSecret(),
        nonce: tools.newSecret(),
      };
      return {
        location: authorizationUrl(settings, transaction),
        sealed: await sealer.seal(transaction),
      };
    },
    finish,
  };
}

function authorizationUrl(
  settings: SignInSettings,
  { state, verifier, nonce }: { state: string; verifier: string; nonce: string },
): string {
  const address = new URL(settings.authorization_endpoint);
  const query = {
    response_type: 'code',
    client_id: settings.client_id,
    redirect_uri: settings.redirect_uri,
    scope: settings.scopes.join(' '),
    state,
    nonce,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    ...audienceParameters(settings.audience),
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address.href;
}

function isSame(given: readonly string[], expected: string): boolean {
  const [only, ...more] = given;
  return only !== undefined && more.length === 0 && timingSafeEqual(digest(only), digest(expected));
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Rejects a token that every later request would reject, so that the operator learns the reason now. */
async function requireAccepted(token: string, { identity }: SignInTools): Promise<void> {
  if (Buffer.byteLength(token) > MAX_TOKEN_BYTES) {
    throw new CatalogError(
      'auth.exchange_failed',
      `The access token is longer than ${MAX_TOKEN_BYTES} bytes and does not fit into a cookie.`,
      {
        suggested_action:
          'Configure the identity provider to put fewer groups and claims into access tokens for this registry.',
      },
    );
  }
  const verdict = await verifySession(identity, token);
  if (verdict.kind === 'subject') return;
  const why = verdict.kind === 'refused' ? ` ${verdict.message}` : '';
  throw new CatalogError(
    'auth.exchange_failed',
    `The identity provider issued an access token that this registry rejects.${why}`,
    {
      suggested_action:
        'Compare `identity_provider.issuer` and `identity_provider.audience` with the values the provider uses. The access token must be a JWT.',
    },
  );
}

/** Verifies a session token like the next request of the browser. */
async function verifySession(identity: IdentityProvider, token: string): Promise<IdentityVerdict> {
  const next = new IncomingMessage(new Socket());
  next.headers = { cookie: `${SESSION_COOKIE}=${token}` };
  return identity.identify(next);
}
