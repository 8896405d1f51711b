import type { Transport } from '@catalog/sdk/transport';
import type { TokenStoreKind } from '../config/identity-settings.ts';
import type { IdentitySettings } from '../config/types.ts';
import { requireAudience } from './audience.ts';
import { signInByDevice, type DeviceFlowOptions } from './device-flow.ts';
import type { Issuer } from './find-issuer.ts';
import { acquireCredentialsLock } from './acquire-credentials-lock.ts';
import { checkAddress } from './oauth-requests.ts';
import { saveTokens } from './token-store.ts';
import { fetchIdentity, type CallerIdentity } from './who-am-i.ts';

export interface SignInOptions extends DeviceFlowOptions {
  transport: Transport;
  store: TokenStoreKind;
}

export interface SignedIn extends CallerIdentity {
  /** Expiry in seconds since the epoch. */
  expires_at: number | undefined;
  renewable: boolean;
}

/**
 * Signs in a user. Before the user is asked, checks that tokens can be sent and stored; afterwards, stores them only if
 * the registry accepts them.
 */
export async function signIn(
  registry: string,
  issuer: Issuer,
  settings: IdentitySettings,
  options: SignInOptions,
  signal?: AbortSignal,
): Promise<SignedIn> {
  const { origin } = checkAddress(registry, 'The registry');
  const { store, transport } = options;
  if (store === 'keychain') {
    const { openKeychain } = await import('./keychain.ts');
    const keychain = await openKeychain(settings.keychain_name.value, signal);
    await keychain.get(origin);
  }
  const tokens = await signInByDevice(issuer, options, signal);
  if (!issuer.is_audience_given) requireAudience(tokens.access_token, registry);
  const who = await fetchIdentity(registry, tokens.access_token, transport, signal);
  const { subject } = who;
  const hold = await acquireCredentialsLock(settings.folder, origin, signal);
  try {
    const kept = { ...tokens, ...(subject === undefined ? {} : { subject }) };
    await saveTokens(settings, origin, kept, store, signal);
  } finally {
    hold.release();
  }
  const { expires_at, refresh_token } = tokens;
  return { ...who, expires_at, renewable: refresh_token !== undefined };
}
