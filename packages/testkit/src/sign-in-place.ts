import type { Settings } from '@catalog/server/config/settings';
import { freePort } from '../../../tools/services/free-port.ts';
import { FormBrowser, type Page } from './form-browser.ts';
import { startOidcProvider, type OidcProviderServer } from './oidc-provider-server.ts';
import type { ProviderServer } from './provider-users.ts';
import { startRegistry, type RegistryServer } from './registry-server.ts';

export const SIGN_IN = '/v1/ui/auth/sign-in';
export const CALLBACK = '/v1/ui/auth/callback';
export const SESSION_COOKIE = '__Host-catalog_session';
export const TRANSACTION_COOKIE = '__Host-catalog_auth';

export interface SignInPlace {
  /** Origin, known before the registry starts. */
  origin: string;
  provider: OidcProviderServer;
  /** Starts the registry at the origin; after it is closed, another one can start. */
  start(settings?: Partial<Settings>): Promise<RegistryServer>;
  newBrowser(options?: { stopsAt?: (url: string) => boolean }): FormBrowser;
  signIn(browser: FormBrowser, name: string): Promise<Page>;
  cookieOf(browser: FormBrowser, name: string): string | undefined;
  close(): Promise<void>;
}

export async function openSignInPlace(): Promise<SignInPlace> {
  const bind = `127.0.0.1:${await freePort()}`;
  const origin = `http://${bind}`;
  const redirect_uri = `${origin}${CALLBACK}`;
  const provider = await startOidcProvider({ redirect_uris: [redirect_uri], keep: true });
  return {
    origin,
    provider,
    start: (settings = {}) =>
      startRegistry({ settings: { ...provider.settings(redirect_uri), bind, ...settings } }),
    newBrowser: (options = {}) => new FormBrowser({ ca: provider.ca, ...options }),
    signIn: (browser, name) => signIn(browser, origin, provider, name),
    cookieOf: (browser, name) => browser.cookies.get(origin)?.get(name),
    close: () => provider.close(),
  };
}

export async function signIn(
  browser: FormBrowser,
  origin: string,
  provider: ProviderServer,
  name: string,
): Promise<Page> {
  await browser.open(`${origin}${SIGN_IN}`);
  return browser.submit(provider.credentialsOf(name));
}
