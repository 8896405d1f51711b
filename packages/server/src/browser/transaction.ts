import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';

/** What a sign-in that is under way has to remember until the browser comes back. */
export interface Transaction {
  /** Comes back in the query; whoever cannot name it did not start this sign-in. */
  state: string;
  /** Proves to the provider that who redeems the code is who asked for it (PKCE). */
  verifier: string;
  /** Comes back in the identity token. */
  nonce: string;
}

export interface TransactionSealer {
  /** The value of the cookie, readable by this registry alone, and for so long. */
  seal(transaction: Transaction): Promise<string>;
  /** What was sealed; undefined for what is too old, altered or not a registry's own. */
  open(sealed: string): Promise<Transaction | undefined>;
}

const METHOD = { alg: 'dir', enc: 'A256GCM' } as const;
const KEY_BYTES = 32;

/**
 * Encrypts transactions with a key made of the client's secret: every replica has that, so any of
 * them opens what another sealed, and nothing is stored anywhere.
 */
export function createTransactionSealer(
  client_secret: string,
  ttl_seconds: number,
  now: () => Date,
): TransactionSealer {
  const secret = hkdfSync('sha256', client_secret, '', '__Host-catalog_auth', KEY_BYTES);
  const key = new Uint8Array(secret);
  return {
    seal: ({ state, verifier, nonce }) =>
      new EncryptJWT({ state, verifier, nonce })
        .setProtectedHeader(METHOD)
        .setExpirationTime(new Date(now().getTime() + ttl_seconds * 1000))
        .encrypt(key),
    async open(sealed) {
      try {
        const { payload } = await jwtDecrypt<Transaction>(sealed, key, {
          keyManagementAlgorithms: [METHOD.alg],
          contentEncryptionAlgorithms: [METHOD.enc],
          requiredClaims: ['exp', 'state', 'verifier', 'nonce'],
          currentDate: now(),
        });
        return payload;
      } catch {
        return undefined;
      }
    },
  };
}
