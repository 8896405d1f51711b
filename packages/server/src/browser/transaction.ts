import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';

export interface Transaction {
  /** Returned in the query; proves that this browser started the sign-in. */
  state: string;
  /** Proves to the provider that the client redeeming the code is the one that requested it (PKCE). */
  verifier: string;
  nonce: string;
}

export interface TransactionSealer {
  /** Only this registry can read the cookie value, until it expires. */
  seal(transaction: Transaction): Promise<string>;
  /** Returns undefined if the value is expired, altered or from another registry. */
  open(sealed: string): Promise<Transaction | undefined>;
}

const METHOD = { alg: 'dir', enc: 'A256GCM' } as const;
const KEY_BYTES = 32;

/**
 * Derives the key from the client secret, so that any replica can open the cookie without shared
 * storage.
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
