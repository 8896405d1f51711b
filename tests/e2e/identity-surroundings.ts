import { startOidcProvider, type OidcProviderServer } from '@catalog/testkit/oidc-provider-server';
import { getDeviceToken, getWorkloadToken } from '@catalog/testkit/provider-tokens';
import { WEB_CLIENT } from '@catalog/testkit/provider-users';
import type { Surroundings } from './follow-page.ts';

/** The registry of the page that people sign in to with a browser. */
export const BROWSER_REGISTRY = 'http://localhost:8082';

const AUDIENCE = 'https://catalog.example.com';
/** As a platform for code calls a job on the main branch. */
const WORKLOAD = 'repo:acme/app:ref:refs/heads/main';

/** What the reader of the page about identity has: a provider, and tokens of it. */
export async function openIdentitySurroundings(): Promise<
  Required<Pick<Surroundings, 'env' | 'shown'>> & { provider: OidcProviderServer }
> {
  const provider = await startOidcProvider({
    audience: AUDIENCE,
    redirect_uris: [`${BROWSER_REGISTRY}/v1/ui/auth/callback`],
    workloads: [WORKLOAD],
  });
  return {
    provider,
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CA_FILE: provider.ca_file,
      WEB_CLIENT_SECRET: WEB_CLIENT.secret,
      ALICE_TOKEN: await getDeviceToken(provider, 'alice'),
      TOKEN_FOR_ANOTHER: await getDeviceToken(provider, 'alice', 'https://other.example.com'),
      CI_TOKEN: await getWorkloadToken(provider, WORKLOAD),
    },
    shown: { [provider.issuer]: 'https://id.example.com' },
  };
}
