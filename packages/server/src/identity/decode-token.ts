import { isJsonObject, type JsonObject } from '@catalog/core/json';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { hasDuplicateMembers } from './duplicate-members.ts';

/** Parsed parts of a token before any verification. */
export interface DecodedToken {
  algorithm: string;
  kid: string | undefined;
  claims: JsonObject;
}

/** Real tokens are about a tenth of it. */
export const MAX_TOKEN_BYTES = 16_384;
/** Excludes tokens for other uses, such as logout tokens and proofs. */
const TYPES = new Set(['jwt', 'at+jwt', 'application/at+jwt', 'jose']);
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const strictText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns undefined if no signature could make the token acceptable. Never reads headers that contain
 * keys (`jwk`, `x5c`) or URLs of keys (`jku`, `x5u`).
 */
export function decodeToken(token: string): DecodedToken | undefined {
  if (token.length > MAX_TOKEN_BYTES || !COMPACT.test(token)) return undefined;
  const [first = '', second = ''] = token.split('.', 2);
  const header = decodePart(first);
  const claims = decodePart(second);
  if (header === undefined || claims === undefined) return undefined;
  const { alg, kid, typ, crit } = header;
  if (typeof alg !== 'string' || crit !== undefined) return undefined;
  if (kid !== undefined && typeof kid !== 'string') return undefined;
  if (typ !== undefined && !(typeof typ === 'string' && TYPES.has(typ.toLowerCase()))) {
    return undefined;
  }
  return { algorithm: alg, kid, claims };
}

function decodePart(part: string): JsonObject | undefined {
  try {
    const text = strictText.decode(Buffer.from(part, 'base64url'));
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && !hasDuplicateMembers(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The result is safe to print. */
export function namedIssuer(decoded: DecodedToken | undefined): string | undefined {
  const iss = decoded?.claims['iss'];
  return typeof iss === 'string' && iss !== '' ? escapeControls(iss.slice(0, 200)) : undefined;
}
