import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';

export interface Transaction {
  /** Random value that proves that this browser started the sign-in; the provider returns it in the query. */
  state: string;
  /** Secret that proves to the provider that the same client started the sign-in (PKCE). */
  verifier: string;
  nonce: string;
}

export interface TransactionSealer {
  /** Encrypts a transaction as a cookie value, which expires. */
  seal(transaction: Transaction): Promise<string>;
  /** Decrypts a cookie value; undefined if it is expired, altered or from another registry. */
  open(sealed: string): Promise<Transaction | undefined>;
}

const METHOD = { alg: 'dir', enc: 'A256GCM' } as const;
const KEY_BYTES = 32;

/**
 * Creates the encryption of sign-in cookies. The key is derived from the client secret, so that every replica can read
 * the cookie.
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
