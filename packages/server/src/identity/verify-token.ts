import type { KeyObject } from 'node:crypto';
import type { JsonObject } from '@catalog/core/json';
import { errors, jwtVerify } from 'jose';

export interface Expected {
  /** Algorithm of the key; the token cannot choose it. */
  algorithm: string;
  issuers: readonly string[];
  audiences: readonly string[];
  subject_claim: string;
  now: Date;
  leeway: Leeway;
}

/** Tolerated clock differences, in seconds. */
export interface Leeway {
  /** Time after its expiry (`exp`) in which a token is still accepted. */
  expiry: number;
  /** Maximum time of `nbf` and `iat` in the future. */
  start: number;
}

export type TokenCheck =
  | { kind: 'verified'; exp: number }
  | { kind: 'expired' }
  /** `why` continues a sentence that starts with "The token". The caller sees it. */
  | { kind: 'refused'; why: string };

/** Last second that a `Date` can represent. */
const MAX_DATE_SECONDS = 8_640_000_000_000;

/** Verifies signature and claims of a token. Never throws. */
export async function verifyToken(
  token: string,
  claims: JsonObject,
  key: KeyObject,
  { algorithm, issuers, audiences, subject_claim, now, leeway }: Expected,
): Promise<TokenCheck> {
  try {
    await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer: [...issuers],
      audience: [...audiences],
      requiredClaims: ['exp', subject_claim],
      // The library has one tolerance for all claims; `checkTimes` applies the exact ones afterwards.
      clockTolerance: Math.max(leeway.expiry, leeway.start),
      currentDate: now,
    });
    return checkTimes(claims, now.getTime() / 1000, leeway);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { kind: 'expired' };
    return { kind: 'refused', why: describeRejection(error) };
  }
}

/** Checks the times of a token, including `iat`, which the library ignores. */
function checkTimes(
  { exp, nbf, iat }: JsonObject,
  now_seconds: number,
  leeway: Leeway,
): TokenCheck {
  if (typeof exp !== 'number' || exp > MAX_DATE_SECONDS) {
    return { kind: 'refused', why: 'has no expiration time' };
  }
  if (now_seconds >= exp + leeway.expiry) return { kind: 'expired' };
  const latest = now_seconds + leeway.start;
  if (typeof nbf === 'number' && nbf > latest) return { kind: 'refused', why: 'is not valid yet' };
  if (iat !== undefined && !(typeof iat === 'number' && iat <= latest)) {
    return { kind: 'refused', why: 'has an issue time in the future' };
  }
  return { kind: 'verified', exp };
}

const CLAIM_REASONS: Readonly<Record<string, string>> = {
  iss: 'is from another issuer',
  aud: 'is for another audience',
  exp: 'has no expiration time',
  nbf: 'is not valid yet',
};

function describeRejection(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return CLAIM_REASONS[error.claim] ?? `lacks the claim \`${error.claim}\``;
  }
  return 'has an invalid signature';
}
