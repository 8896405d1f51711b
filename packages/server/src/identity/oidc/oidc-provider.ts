import type { IncomingMessage } from 'node:http';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { IdentityVerdict, RefusedCredential } from '@catalog/core/identity/caller';
import { readBearer, readSessionCookie } from '../bearer-credential.ts';
import { decodeToken, MAX_TOKEN_BYTES, namedIssuer, type DecodedToken } from '../decode-token.ts';
import type { GroupMapping } from '../group-mapping.ts';
import { ANONYMOUS, EXPIRED, type IdentityProvider } from '../provider.ts';
import { toIdentity, type ClaimRules } from '../to-identity.ts';
import { createTokenCache } from '../token-cache.ts';
import { verifyToken, type Leeway } from '../verify-token.ts';
import type { KeySet } from './key-set.ts';

export interface OidcOptions {
  keys: KeySet;
  audiences: readonly string[];
  token_header: string;
  reads_cookie: boolean;
  rules: ClaimRules;
  mapGroups: GroupMapping;
  leeway: Leeway;
  now: () => Date;
}

export function createOidcProvider(options: OidcOptions): IdentityProvider {
  const { keys, rules, now } = options;
  const cache = createTokenCache<string>();

  function identify(incoming: IncomingMessage): IdentityVerdict | Promise<IdentityVerdict> {
    const token = readCredential(incoming, options);
    if (token === undefined) return ANONYMOUS;
    if (token.length > MAX_TOKEN_BYTES) return untrusted('is too long');
    const known = cache.get(token);
    // A cached token is accepted until it expires and while its key is fresh (SPEC-59).
    if (known !== undefined && now().getTime() < known.exp * 1000 && keys.isFresh(known.key)) {
      return known.identity;
    }
    return verify(token);
  }

  async function verify(token: string): Promise<IdentityVerdict> {
    const decoded = decodeToken(token);
    if (decoded === undefined) return untrusted('is malformed');
    const { algorithm, kid, claims } = decoded;
    const found = await keys.find(kid, algorithm);
    if (found.kind === 'unavailable') throw keysUnavailable(keys.retrySeconds());
    if (found.kind === 'unknown')
      return untrusted('is not signed with a key of the issuer', decoded);
    const { key, fingerprint } = found.key;
    const checked = await verifyToken(token, claims, key, {
      algorithm,
      issuers: keys.issuers(),
      audiences: options.audiences,
      subject_claim: rules.subject,
      now: now(),
      leeway: options.leeway,
    });
    if (checked.kind === 'expired') return EXPIRED;
    if (checked.kind === 'refused') return untrusted(checked.why, decoded);
    const identity = toIdentity(claims, rules, options.mapGroups);
    if (identity === undefined) {
      return untrusted(`has no subject in its claim \`${rules.subject}\``, decoded);
    }
    return cache.set(token, { identity, exp: checked.exp, key: fingerprint });
  }

  function untrusted(why: string, decoded?: DecodedToken): RefusedCredential {
    const token_iss = namedIssuer(decoded);
    return {
      kind: 'refused',
      code: 'auth.untrusted_token',
      message: `The token ${why}. This registry accepts tokens from ${keys.issuers().join(' and ')}.`,
      details: token_iss === undefined ? {} : { token_iss },
    };
  }

  return {
    identify,
    prepare: (log) => keys.prepare(log),
    announcesVerifiedEmail: () => keys.announcesVerifiedEmail(),
    check: () => keys.check(),
    suspect: () => keys.suspect(),
    close: () => keys.close(),
  };
}

/**
 * Reads the credential of a request. A bearer header takes precedence over the cookie, even if the header is invalid
 * (AUTH-12).
 */
function readCredential(
  incoming: IncomingMessage,
  { token_header, reads_cookie }: OidcOptions,
): string | undefined {
  const bearer = readBearer(incoming, token_header);
  return bearer ?? (reads_cookie ? readSessionCookie(incoming) : undefined);
}

function keysUnavailable(retry_after_seconds: number): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    "The token cannot be verified now, because the registry could not fetch the issuer's keys.",
    {
      details: { retry_after_seconds },
      suggested_action: 'Try again when the identity provider responds.',
    },
  );
}
