import { normalizeAudiences } from '../config/audiences.ts';
import type { Settings } from '../config/settings.ts';

export interface TokenSource {
  issuer: string;
  audiences: readonly string[];
  client_id: string;
  scopes: readonly string[];
}

export function tokenSource(settings: Settings): TokenSource | undefined {
  const { 'identity_provider.type': type, 'identity_provider.issuer': issuer } = settings;
  if (type !== 'oidc-jwt' || issuer === undefined || settings.public_mode) return undefined;
  return {
    issuer,
    audiences: normalizeAudiences(settings['identity_provider.audience']),
    client_id: settings['identity_provider.client_id'],
    scopes: settings['web_ui.oauth_scopes'],
  };
}
