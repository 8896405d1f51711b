import type { DeviceCode } from '@catalog/consumer/identity/device-flow';
import type { Issuer } from '@catalog/consumer/identity/find-issuer';
import { signIn, type SignedIn } from '@catalog/consumer/identity/sign-in';
import type { TokenStoreKind } from '@catalog/consumer/config/identity-settings';
import type { Config } from '@catalog/consumer/config/types';
import type { Transport } from '@catalog/sdk/transport';
import type { Session } from '../../command/session.ts';
import { styled } from '../../output/text.ts';
import { openBrowser } from './open-browser.ts';

export interface DeviceSignIn {
  registry: string;
  issuer: Issuer;
  transport: Transport;
  store: TokenStoreKind;
  browser: boolean;
}

export async function signInWithDevice(
  { registry, issuer, transport, store, browser }: DeviceSignIn,
  { identity }: Config,
  session: Session,
): Promise<SignedIn> {
  return signIn(
    registry,
    issuer,
    identity,
    {
      transport,
      store,
      onCode: (code) => {
        show(code, registry, session);
        if (browser && session.interactive) {
          openBrowser(code.complete_address ?? code.address, session);
        }
      },
      onWait: (left) =>
        session.progress(`Waiting for confirmation in the browser, ${clock(left)} left`),
    },
    session.signal,
  );
}

/** Shows the code on stderr, because stdout is for the result. With `--json`, it is one line of JSON. */
function show(code: DeviceCode, registry: string, { json, note }: Session): void {
  const { issuer, audience, address, complete_address, user_code, expires_in } = code;
  if (json) {
    const event = 'auth.device_code_pending';
    const uri = { verification_uri: address, verification_uri_complete: complete_address };
    note(JSON.stringify({ event, registry, issuer, audience, ...uri, user_code, expires_in }));
    return;
  }
  note(`To sign in to ${registry}, open`);
  note(['  ', styled('bold', complete_address ?? address)]);
  note(['and confirm the code ', styled('bold', user_code)]);
  note(`  issuer    ${issuer}`);
  note(`  audience  ${audience ?? 'none requested'}`);
  note(`  registry  ${registry}`);
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
