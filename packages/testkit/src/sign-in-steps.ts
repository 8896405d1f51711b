import type { ServerResponse } from 'node:http';
import { signIn, signInCallback } from '@catalog/contract/endpoints/browser';
import type { RegistryServer } from './registry-server.ts';
import { CALLBACK, TRANSACTION_COOKIE, type SignInPlace } from './sign-in-place.ts';
import { errorOf, type CheckedResponse } from './checked-response.ts';

export function cookiesOf({ headers }: Pick<CheckedResponse, 'headers'>): Record<string, string[]> {
  const lines = (headers['set-cookie'] ?? []).map((line) => line.split('; '));
  return Object.fromEntries(lines.map(([pair = '', ...rest]) => [pair.split('=')[0], rest.sort()]));
}

export const KEPT_COOKIE = ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'];
/** Attributes of the cookie of the sign-in after the provider has redirected back. */
export const CLEARED_COOKIE = {
  [TRANSACTION_COOKIE]: ['HttpOnly', 'Max-Age=0', 'Path=/', 'SameSite=Lax', 'Secure'],
};

export interface StartedSignIn {
  location: URL;
  cookie: string;
  state: string;
}

export async function startSignIn(server: RegistryServer): Promise<StartedSignIn> {
  const { headers } = await server.request(signIn);
  const location = new URL(headers.location ?? '');
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return { location, cookie, state: location.searchParams.get('state') ?? '' };
}

export function sendCallback(
  server: RegistryServer,
  query: Record<string, string | readonly string[]>,
  cookie?: string,
): Promise<CheckedResponse> {
  return server.request(signInCallback, {
    query,
    headers: cookie === undefined ? {} : { cookie },
  });
}

export async function getCode(
  place: SignInPlace,
  server: RegistryServer,
): Promise<StartedSignIn & { code: string; iss: string }> {
  const browser = place.newBrowser({ stopsAt: (url) => url.includes(CALLBACK) });
  const started = await startSignIn(server);
  await browser.open(started.location.href);
  const { url } = await browser.submit(place.provider.credentialsOf('alice'));
  const { searchParams } = new URL(url);
  return { ...started, code: searchParams.get('code') ?? '', iss: searchParams.get('iss') ?? '' };
}

export function refusalOf({ status, body }: CheckedResponse): unknown[] {
  return [status, errorOf(body)?.code];
}

export const CSRF = [403, 'auth.csrf_invalid'];

export function answerToken(place: SignInPlace, answer: (response: ServerResponse) => void): void {
  place.provider.overrideResponse = ({ url }, response) => {
    if (url !== '/token') return false;
    answer(response);
    return true;
  };
}

export function sendTokens(response: ServerResponse, tokens: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(tokens));
}
