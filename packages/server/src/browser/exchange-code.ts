import { CatalogError } from '@catalog/contract/errors/catalog-error';
import * as oauth from 'oauth4webapi';
import { EgressError, type SendRequest } from '../adapters/egress/send-request.ts';
import { audienceParameters, invalidCallback, type SignInSettings } from './sign-in-settings.ts';
import type { Transaction } from './transaction.ts';

const TIMEOUT_MS = 10_000;
/** Maximum size of a token response: enough for two tokens with many claims. */
const MAX_RESPONSE_BYTES = 262_144;
/** Tolerated difference between the clocks of provider and registry, in seconds. */
const TOLERANCE_SECONDS = 60;

/** Accepted signature algorithms of identity tokens. `none` and algorithms with the client secret are excluded. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Exchanges an authorization code for tokens. The caller has already compared the state. */
export async function exchangeCode(
  query: URLSearchParams,
  transaction: Transaction,
  settings: SignInSettings,
  send: SendRequest,
  signal: AbortSignal,
): Promise<string> {
  const { issuer, token_endpoint, client_id, client_secret, redirect_uri, scopes } = settings;
  const server: oauth.AuthorizationServer = {
    issuer,
    token_endpoint,
    id_token_signing_alg_values_supported: ALGORITHMS,
  };
  const client: oauth.Client = { client_id, [oauth.clockTolerance]: TOLERANCE_SECONDS };
  const returned = checkCallback(server, client, query, transaction);
  try {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.ClientSecretBasic(client_secret),
      returned,
      redirect_uri,
      transaction.verifier,
      {
        additionalParameters: audienceParameters(settings.audience),
        [oauth.customFetch]: createFetch(send),
        // Safe because startup checked the URL: plain HTTP is limited to this machine.
        // oxlint-disable-next-line typescript/no-deprecated -- deprecated only to make one think
        [oauth.allowInsecureRequests]: true,
        signal,
      },
    );
    const isOpenId = scopes.includes('openid');
    const { access_token } = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      response,
      isOpenId ? { expectedNonce: transaction.nonce } : {},
    );
    return access_token;
  } catch (error) {
    throw toExchangeError(error);
  }
}

/** Requires exactly one code. An issuer in the response (RFC 9207) must be the configured one. */
function checkCallback(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  query: URLSearchParams,
  { state }: Transaction,
): URLSearchParams {
  if (query.getAll('code').length !== 1) {
    throw new CatalogError(
      'registry.invalid_argument',
      'The identity provider sent no code, or more than one.',
      { details: { argument: 'code', constraint: 'required' } },
    );
  }
  const isForeign = query.getAll('iss').some((issuer) => issuer !== server.issuer);
  if (isForeign) throw invalidCallback('The response came from a different identity provider.');
  try {
    return oauth.validateAuthResponse(server, client, query, state);
  } catch {
    throw invalidCallback(
      'The identity provider redirected the browser with unexpected parameters.',
    );
  }
}

/**
 * Returns a `fetch` function with egress checks for the OAuth library. A 5xx response means that the provider is
 * unavailable (SESS-23).
 */
function createFetch(
  send: SendRequest,
): (url: string, options: oauth.CustomFetchOptions<'POST', URLSearchParams>) => Promise<Response> {
  return async (url, { headers, body, signal }) => {
    const answer = await send(
      {
        url,
        method: 'POST',
        headers,
        body: body.toString(),
        max_bytes: MAX_RESPONSE_BYTES,
        timeout_ms: TIMEOUT_MS,
      },
      signal,
    );
    if (answer.status >= 500)
      throw new EgressError(`the token endpoint responded with status ${answer.status}`);
    return new Response(answer.body, {
      status: answer.status,
      headers: { 'content-type': answer.headers['content-type'] ?? '' },
    });
  };
}

function toExchangeError(error: unknown): CatalogError {
  if (error instanceof EgressError) {
    return new CatalogError('registry.unavailable', 'The identity provider is unreachable.', {
      cause: error,
    });
  }
  // The code is a word of the OAuth standard. The description is arbitrary text and is left out.
  const code = error instanceof oauth.ResponseBodyError ? error.error : '';
  const why = /^[a-z_]{1,40}$/.test(code) ? `: ${code}` : '';
  return new CatalogError(
    'auth.exchange_failed',
    `The identity provider rejected the sign-in${why}.`,
    // The original error contains the response with its tokens, which must not reach the log.
    { cause: new Error(error instanceof Error ? error.message : 'no error') },
  );
}
