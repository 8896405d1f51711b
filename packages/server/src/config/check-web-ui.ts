import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isLoopbackHost, loadBindAddress } from './bind-address.ts';
import type { SettingKey, Settings } from './settings.ts';

/** Settings that browser sign-in requires (SESS-05). */
const NEEDED = [
  'web_ui.oauth_client_id',
  'web_ui.oauth_client_secret',
  'web_ui.redirect_uri',
  'web_ui.oauth_authorization_endpoint',
  'web_ui.oauth_token_endpoint',
] as const satisfies readonly SettingKey[];

const ADDRESSES = [
  'web_ui.redirect_uri',
  'web_ui.oauth_authorization_endpoint',
  'web_ui.oauth_token_endpoint',
] as const satisfies readonly SettingKey[];

export function checkBrowserSignIn(settings: Settings): void {
  if (!settings['web_ui.auth']) return;
  if (!settings['web_ui.enabled']) {
    throw unconfigured('web_ui.enabled', 'the web UI is not enabled');
  }
  if (settings.public_mode) throw unconfigured('public_mode', 'public mode is enabled');
  if (settings['identity_provider.type'] !== 'oidc-jwt') {
    throw unconfigured('identity_provider.type', 'the identity provider is not oidc-jwt');
  }
  const missing = NEEDED.find((key) => (settings[key] ?? '').trim() === '');
  if (missing !== undefined) throw unconfigured(missing, `${missing} is not set`);
  const unsafe = ADDRESSES.find((key) => !isSafe(settings[key] ?? ''));
  if (unsafe !== undefined) {
    throw unconfigured(
      unsafe,
      `${unsafe} is neither an https URL nor an http URL of a loopback host`,
    );
  }
}

/** Returns true if a third party cannot read a code or secret that is sent to the URL (SESS-06). */
function isSafe(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && isLoopbackHost(url.hostname.replace(/^\[(.*)\]$/, '$1'));
}

function unconfigured(key: SettingKey, why: string): CatalogError {
  return new CatalogError(
    'config.web_ui_auth_unconfigured',
    `Browser sign-in cannot work: ${why}.`,
    { details: { key } },
  );
}

/** Requires authentication for a web UI on a public bind address, because the UI shows all content. */
export function checkWebUiBind(settings: Settings): void {
  if (!settings['web_ui.enabled'] || isLoopbackHost(loadBindAddress(settings.bind).host)) return;
  const hasProvider = settings['identity_provider.type'] !== undefined;
  if (hasProvider && settings['web_ui.allow_public_bind']) return;
  const missing = [
    ...(hasProvider ? [] : ['an identity provider']),
    ...(settings['web_ui.allow_public_bind'] ? [] : ['--web-ui-allow-public-bind']),
  ];
  throw new CatalogError(
    'config.web_ui_public_bind_refused',
    `Cannot serve the web UI on ${settings.bind} without ${missing.join(' and ')}.`,
    { details: { bind: settings.bind } },
  );
}
