import { bytesHash } from '@catalog/core/artifact/content-hash';
import { isRecord } from './stored-tokens.ts';

/** Claims of a token, not verified, for file names and display. */
export interface TokenClaims {
  issuer: string | undefined;
  subject: string | undefined;
  email: string | undefined;
  audiences: readonly string[];
  /** Expiry in seconds since the epoch. */
  expires_at: number | undefined;
}

export function readClaims(token: string): TokenClaims | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    if (!isRecord(claims)) return undefined;
    const { iss, sub, email, aud, exp } = claims;
    return {
      issuer: typeof iss === 'string' ? iss : undefined,
      subject: typeof sub === 'string' ? sub : undefined,
      email: typeof email === 'string' ? email : undefined,
      audiences: [aud].flat().filter((audience) => typeof audience === 'string'),
      expires_at: typeof exp === 'number' ? exp : undefined,
    };
  } catch {
    return undefined;
  }
}

/** Returns the key of a cached view (SPEC-65); `open` without a token. */
export function viewerOf(token: string | undefined): string {
  if (token === undefined) return 'open';
  const { issuer, subject } = readClaims(token) ?? {};
  if (subject === undefined) return bytesHash(token);
  return JSON.stringify([issuer ?? '', subject]);
}
