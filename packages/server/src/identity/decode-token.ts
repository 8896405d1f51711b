import { isJsonObject, type JsonObject } from '@catalog/core/json';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { hasDuplicateMembers } from './duplicate-members.ts';

/** What a token says of itself, before anything of it is believed. */
export interface DecodedToken {
  algorithm: string;
  /** Undefined where the token names no key. */
  kid: string | undefined;
  claims: JsonObject;
}

/** The longest token that is looked at: real ones are a tenth of it. */
export const MAX_TOKEN_BYTES = 16_384;
/** Types under which access tokens travel; others (of a sign-out, of a proof) are not for callers to show. */
const TYPES = new Set(['jwt', 'at+jwt', 'application/at+jwt', 'jose']);
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const strictText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Takes a compact token apart; undefined where it is none that could be accepted, whoever signed it.
 * Headers that name keys (`jwk`, `x5c`) or places to fetch them from (`jku`, `x5u`) are never read.
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

/** The issuer a token names, fit to be shown. */
export function namedIssuer(decoded: DecodedToken | undefined): string | undefined {
  const iss = decoded?.claims['iss'];
  return typeof iss === 'string' && iss !== '' ? escapeControls(iss.slice(0, 200)) : undefined;
}
