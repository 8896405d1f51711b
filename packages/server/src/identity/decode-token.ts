import { isJsonObject, type JsonObject } from '@catalog/core/json';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { hasDuplicateMembers } from './duplicate-members.ts';

/** Parsed parts of a token that is not verified yet. */
export interface DecodedToken {
  algorithm: string;
  kid: string | undefined;
  claims: JsonObject;
}

/** Maximum size of a token, about ten times that of real ones. */
export const MAX_TOKEN_BYTES = 16_384;
/** Accepted token types, without those for other uses such as logout tokens. */
const TYPES = new Set(['jwt', 'at+jwt', 'application/at+jwt', 'jose']);
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const strictText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a token. Returns undefined if the token is unacceptable whatever its signature. Headers with keys (`jwk`,
 * `x5c`) or URLs of keys (`jku`, `x5u`) are never read.
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

/** Returns the issuer of an unverified token, in a form that is safe to print. */
export function namedIssuer(decoded: DecodedToken | undefined): string | undefined {
  const iss = decoded?.claims['iss'];
  return typeof iss === 'string' && iss !== '' ? escapeControls(iss.slice(0, 200)) : undefined;
}
