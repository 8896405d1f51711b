import type { KeyObject } from 'node:crypto';
import type { JsonObject } from '@catalog/core/json';
import { errors, jwtVerify } from 'jose';

/** What a token has to say to be accepted. */
export interface Expected {
  /** Of the key, not of the token's own choosing. */
  algorithm: string;
  issuers: readonly string[];
  audiences: readonly string[];
  /** The claim that names the subject. */
  subject_claim: string;
  now: Date;
}

export type TokenCheck =
  | { kind: 'verified'; exp: number }
  | { kind: 'expired' }
  /** `why` follows "The token": it is for the person who sent it. */
  | { kind: 'refused'; why: string };

/** Clocks of two machines differ. */
const TOLERANCE_SECONDS = 30;
/** The last second a date can hold. */
const LAST_SECOND = 8_640_000_000_000;

/** Checks signature and claims of a token whose parts were looked at before; it never throws. */
export async function verifyToken(
  token: string,
  claims: JsonObject,
  key: KeyObject,
  { algorithm, issuers, audiences, subject_claim, now }: Expected,
): Promise<TokenCheck> {
  try {
    await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer: [...issuers],
      audience: [...audiences],
      requiredClaims: ['exp', subject_claim],
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: now,
    });
    return checkTimes(claims, now);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { kind: 'expired' };
    return { kind: 'refused', why: whyRefused(error) };
  }
}

/** The library looks at `exp` and `nbf`; when a token was made has to be a time too, and past. */
function checkTimes({ exp, iat }: JsonObject, now: Date): TokenCheck {
  if (typeof exp !== 'number' || exp > LAST_SECOND) {
    return { kind: 'refused', why: 'has no expiration time' };
  }
  const latest = now.getTime() / 1000 + TOLERANCE_SECONDS;
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

function whyRefused(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return CLAIM_REASONS[error.claim] ?? `lacks the claim \`${error.claim}\``;
  }
  return 'has an invalid signature';
}
