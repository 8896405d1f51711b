import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { delay } from '@catalog/sdk/idle-timeout';
import type { Transport } from '@catalog/sdk/transport';
import * as oauth from 'oauth4webapi';
import { now } from '../clock.ts';
import type { Issuer } from './find-issuer.ts';
import { checkAddress, oauthFailure, oauthOptions } from './oauth-requests.ts';
import type { StoredTokens } from './stored-tokens.ts';

export interface DeviceCode {
  issuer: string;
  audience: string | undefined;
  address: string;
  /** URL that contains the code, if the provider supports it. */
  complete_address: string | undefined;
  user_code: string;
  expires_in: number;
}

export interface DeviceFlowOptions {
  transport: Transport;
  onCode: (code: DeviceCode) => void;
  /** Called every second with the seconds left. */
  onWait: (seconds_left: number) => void;
}

const MAX_USER_CODE = 32;
const MAX_WAIT_SECONDS = 600;
const DEFAULT_INTERVAL_SECONDS = 5;
const MIN_INTERVAL_SECONDS = 1;
const SLOW_DOWN_SECONDS = 5;

/** Signs in with the device flow (RFC 8628): requests a code, shows it, and polls until the user confirms. */
export async function signInByDevice(
  issuer: Issuer,
  { transport, onCode, onWait }: DeviceFlowOptions,
  signal?: AbortSignal,
): Promise<StoredTokens> {
  const client: oauth.Client = { client_id: issuer.client_id };
  const started = await startDeviceFlow(issuer, client, transport, signal);
  const expires_in = Math.min(started.expires_in, MAX_WAIT_SECONDS);
  onCode({
    issuer: issuer.name ?? issuer.server.issuer,
    audience: issuer.audience,
    address: checkAddress(started.verification_uri, 'The verification URL').href,
    complete_address:
      started.verification_uri_complete === undefined
        ? undefined
        : checkAddress(started.verification_uri_complete, 'The verification URL').href,
    user_code: started.user_code.slice(0, MAX_USER_CODE),
    expires_in,
  });
  const give_up_at = now() + expires_in * 1000;
  let interval = Math.max(started.interval ?? DEFAULT_INTERVAL_SECONDS, MIN_INTERVAL_SECONDS);
  for (;;) {
    await countDown(interval, give_up_at, onWait, signal);
    if (now() >= give_up_at) throw new SignInTimeoutError();
    const answer = await poll(issuer, client, started.device_code, transport, signal);
    if (answer.kind === 'tokens') return toStored(issuer, answer.tokens);
    if (answer.kind === 'slow_down') interval += SLOW_DOWN_SECONDS;
  }
}

async function startDeviceFlow(
  { server, audience, scope }: Issuer,
  client: oauth.Client,
  transport: Transport,
  signal?: AbortSignal,
): Promise<oauth.DeviceAuthorizationResponse> {
  const parameters = {
    scope,
    ...(audience === undefined ? {} : { audience }),
    ...resourceParameter(resourceOf(audience)),
  };
  try {
    const response = await oauth.deviceAuthorizationRequest(
      server,
      client,
      oauth.None(),
      parameters,
      oauthOptions(transport, signal),
    );
    return await oauth.processDeviceAuthorizationResponse(server, client, response);
  } catch (cause) {
    signal?.throwIfAborted();
    throw oauthFailure(`Cannot start the sign-in at ${new URL(server.issuer).origin}`, cause);
  }
}

type Polled =
  | { kind: 'tokens'; tokens: oauth.TokenEndpointResponse }
  | { kind: 'pending' }
  | { kind: 'slow_down' };

async function poll(
  { server, audience }: Issuer,
  client: oauth.Client,
  device_code: string,
  transport: Transport,
  signal?: AbortSignal,
): Promise<Polled> {
  const response = await oauth
    .deviceCodeGrantRequest(server, client, oauth.None(), device_code, {
      ...oauthOptions(transport, signal),
      additionalParameters: resourceParameter(resourceOf(audience)),
    })
    // The code stays valid after a temporary failure of the provider.
    .catch(() => signal?.throwIfAborted());
  if (response === undefined || response.status >= 500) return { kind: 'pending' };
  try {
    const tokens = await oauth.processDeviceCodeResponse(server, client, response);
    return { kind: 'tokens', tokens };
  } catch (cause) {
    const code = cause instanceof oauth.ResponseBodyError ? cause.error : '';
    if (code === 'authorization_pending') return { kind: 'pending' };
    if (code === 'slow_down') return { kind: 'slow_down' };
    if (code === 'access_denied') throw refused();
    if (code === 'expired_token') throw new SignInTimeoutError();
    throw oauthFailure(`The sign-in at ${new URL(server.issuer).origin} failed`, cause);
  }
}

async function countDown(
  seconds: number,
  give_up_at: number,
  onWait: (seconds_left: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const until = Math.min(now() + seconds * 1000, give_up_at);
  for (let left = until - now(); left > 0; left = until - now()) {
    onWait(Math.ceil((give_up_at - now()) / 1000));
    await delay(Math.min(left, 1000), signal);
  }
}

/**
 * Returns the `resource` parameter (RFC 8707) for an audience that is a URL. Other audiences have none, because
 * providers reject it.
 */
export function resourceOf(audience: string | undefined): string | undefined {
  return audience !== undefined && /^https?:\/\//.test(audience) ? audience : undefined;
}

export function resourceParameter(resource: string | undefined): Record<string, string> {
  return resource === undefined ? {} : { resource };
}

function toStored(
  { server, name, client_id, audience }: Issuer,
  tokens: oauth.TokenEndpointResponse,
): StoredTokens {
  const resource = resourceOf(audience);
  const { revocation_endpoint } = server;
  return {
    ...grantedTokens(tokens),
    token_endpoint: server.token_endpoint ?? '',
    client_id,
    ...(name === undefined ? {} : { issuer: name }),
    ...(revocation_endpoint === undefined ? {} : { revocation_endpoint }),
    ...(resource === undefined ? {} : { resource }),
  };
}

export function grantedTokens({
  access_token,
  refresh_token,
  expires_in,
}: oauth.TokenEndpointResponse): Pick<
  StoredTokens,
  'access_token' | 'refresh_token' | 'expires_at'
> {
  return {
    access_token,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(expires_in === undefined ? {} : { expires_at: Math.floor(now() / 1000) + expires_in }),
  };
}

function refused(): CatalogError {
  return new CatalogError('auth.exchange_failed', 'The sign-in was denied in the browser.', {
    suggested_action: 'Run `catalog login` again, and confirm the code it shows.',
  });
}

/** Error for a code that expired before the user confirmed or denied it. */
export class SignInTimeoutError extends CatalogError {
  constructor() {
    super('auth.exchange_failed', 'The sign-in was not confirmed in time.', {
      suggested_action: 'Run `catalog login` again, and confirm the code it shows.',
    });
  }
}
