import type { Socket } from 'node:net';
import { exchange } from '@catalog/testkit/http-exchange';
import { startOidcProvider, type OidcProviderServer } from '@catalog/testkit/oidc-provider-server';
import { newSigningKey, signToken, type SigningKey } from '@catalog/testkit/signing-key';
import { sendJson } from '@catalog/testkit/fake-server';
import type { Fault } from './documented.ts';

export interface Issuer {
  provider: OidcProviderServer;
  rotate(): Promise<void>;
  /** Signs a token with the key that was published last, or with the previous one. */
  mint(subject: string, key: 'newest' | 'known'): string;
  markKnown(): void;
  isFailing(): boolean;
  /** Fails every request from now on; undefined ends the outage. */
  fail(fault: Fault | undefined): void;
}

const TOKEN_SECONDS = 3600;

export async function startIssuer(redirect_uri: string): Promise<Issuer> {
  const provider = await startOidcProvider({ redirect_uris: [redirect_uri], keep: true });
  const { issuer, ca } = provider;
  const { raw } = await exchange(issuer, '/jwks', { ca });
  const own: { keys: object[] } = JSON.parse(raw.toString());
  const first = await newSigningKey('ES256');
  const keys: SigningKey[] = [first];
  let known = first;
  let fault: Fault | undefined;
  const hanging = new Set<Socket>();
  provider.overrideResponse = (incoming, response) => {
    if (fault !== undefined) {
      if (fault === 'refuses') incoming.socket.destroy();
      else hanging.add(incoming.socket);
      return true;
    }
    if (incoming.url !== '/jwks') return false;
    sendJson(response, { keys: [...own.keys, ...keys.map(({ jwk }) => jwk)] });
    return true;
  };
  return {
    provider,
    async rotate() {
      keys.push(await newSigningKey('ES256'));
    },
    mint(sub, which) {
      const key = which === 'known' ? known : (keys.at(-1) ?? first);
      const iat = Math.floor(Date.now() / 1000);
      const [aud] = provider.audience;
      return signToken(key, { iss: issuer, aud, sub, iat, exp: iat + TOKEN_SECONDS });
    },
    markKnown() {
      known = keys.at(-1) ?? first;
    },
    isFailing: () => fault !== undefined,
    fail(next) {
      fault = next;
      for (const socket of hanging) socket.destroy();
      hanging.clear();
    },
  };
}
