import { isJsonObject, type JsonObject } from '@catalog/core/json';
import type { SendRequest } from '../../adapters/egress/send-request.ts';

export interface Discovered {
  jwks_uri: string;
  /** Accepted values of `iss`: the issuer, and its alternative name in access tokens. */
  issuers: readonly string[];
  announces_verified_email: boolean;
}

const MAX_BYTES = 524_288;
const TIMEOUT_MS = 5000;

export class IssuerError extends Error {}

/** Fetches the discovery document (OpenID Connect Discovery 1.0). */
export async function discover(
  issuer: string,
  send: SendRequest,
  signal: AbortSignal,
): Promise<Discovered> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = await fetchDocument(url, send, signal);
  const { issuer: named, jwks_uri, access_token_issuer: other, claims_supported } = document;
  if (named !== issuer) {
    throw new IssuerError(
      `the document at ${url} names the issuer ${JSON.stringify(named)}; if that is the right one, set identity_provider.issuer to exactly this value`,
    );
  }
  if (typeof jwks_uri !== 'string' || URL.parse(jwks_uri)?.protocol !== 'https:') {
    throw new IssuerError(`the document at ${url} has no https URL of a key set`);
  }
  // The alternative name is only compared and never used as a URL (AUTH-16).
  const hasOther = typeof other === 'string' && other !== '' && other !== issuer;
  return {
    jwks_uri,
    issuers: hasOther ? [issuer, other] : [issuer],
    announces_verified_email:
      Array.isArray(claims_supported) && claims_supported.includes('email_verified'),
  };
}

/** Fetches a JSON document. Rejects every other response, including redirects. */
export async function fetchDocument(
  url: string,
  send: SendRequest,
  signal: AbortSignal,
): Promise<JsonObject> {
  const headers = { accept: 'application/json' };
  const limits = { max_bytes: MAX_BYTES, timeout_ms: TIMEOUT_MS };
  const { status, body } = await send({ url, headers, ...limits }, signal);
  if (status !== 200) throw new IssuerError(`${url} responded with status ${status}`);
  const value: unknown = parse(body);
  if (!isJsonObject(value)) throw new IssuerError(`${url} did not return a JSON object`);
  return value;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
