import { normalizeAudiences } from '../config/audiences.ts';
import type { Settings } from '../config/settings.ts';
import { loadPageFiles, type PageFiles } from './page-files.ts';
import type { BrowserSignIn, SignInTools } from './sign-in.ts';

export interface WebUi {
  files: PageFiles;
  sign_in: BrowserSignIn | undefined;
}

export async function openWebUi(
  settings: Settings,
  tools: SignInTools,
): Promise<WebUi | undefined> {
  if (!settings['web_ui.enabled']) return undefined;
  const sign_in = settings['web_ui.auth'] ? await openSignIn(settings, tools) : undefined;
  return { files: loadPageFiles(), sign_in };
}

/** Settings are complete here: startup rejects incomplete ones. */
async function openSignIn(settings: Settings, tools: SignInTools): Promise<BrowserSignIn> {
  const { createBrowserSignIn } = await import('./sign-in.ts');
  return createBrowserSignIn(
    {
      issuer: settings['identity_provider.issuer'] ?? '',
      audience: normalizeAudiences(settings['identity_provider.audience'])[0] ?? '',
      client_id: settings['web_ui.oauth_client_id'] ?? '',
      client_secret: settings['web_ui.oauth_client_secret'] ?? '',
      redirect_uri: settings['web_ui.redirect_uri'] ?? '',
      authorization_endpoint: settings['web_ui.oauth_authorization_endpoint'] ?? '',
      token_endpoint: settings['web_ui.oauth_token_endpoint'] ?? '',
      scopes: settings['web_ui.oauth_scopes'],
      transaction_ttl_seconds: settings['web_ui.auth_transaction_ttl'],
    },
    tools,
  );
}
