import type { IncomingMessage } from 'node:http';
import type { IdentityVerdict, RefusedCredential } from '@catalog/core/identity/caller';
import { isJsonObject, type JsonObject } from '@catalog/core/json';
import { readBearer } from '../bearer-credential.ts';
import { decodeToken, MAX_TOKEN_BYTES, namedIssuer, type DecodedToken } from '../decode-token.ts';
import type { GroupMapping } from '../group-mapping.ts';
import { ANONYMOUS, EXPIRED, type IdentityProvider } from '../provider.ts';
import { toIdentity, type ClaimRules } from '../to-identity.ts';
import { createTokenCache } from '../token-cache.ts';
import { verifyToken, type Leeway, type TokenCheck } from '../verify-token.ts';
import type { RuntimeKey } from './runtime-keys.ts';

export interface InjectedOptions {
  /** Keys of the runtimes, read at startup; later keys require a restart (AUTH-05). */
  keys: readonly RuntimeKey[];
  audiences: readonly string[];
  token_header: string;
  rules: ClaimRules;
  mapGroups: GroupMapping;
  leeway: Leeway;
  now: () => Date;
}

/** Creates the provider for session tokens, which registered runtimes sign on behalf of users. */
export function createInjectedProvider(options: InjectedOptions): IdentityProvider {
  const { rules, now } = options;
  const cache = createTokenCache<undefined>();

  function identify(incoming: IncomingMessage): IdentityVerdict | Promise<IdentityVerdict> {
    const token = readBearer(incoming, options.token_header);
    if (token === undefined) return ANONYMOUS;
    if (token.length > MAX_TOKEN_BYTES) return untrusted('is too long');
    const known = cache.get(token);
    if (known !== undefined && now().getTime() < known.exp * 1000) return known.identity;
    return verify(token);
  }

  async function verify(token: string): Promise<IdentityVerdict> {
    const decoded = decodeToken(token);
    if (decoded === undefined) return untrusted('is malformed');
    const keys = keysFor(options.keys, decoded);
    if (keys.length === 0) return untrusted('is from a runtime that is not registered', decoded);
    const checked = await verifyWithAny(token, decoded, keys);
    if (checked.kind === 'expired') return EXPIRED;
    if (checked.kind === 'refused') return untrusted(checked.why, decoded);
    const problem = actorProblem(options.keys, decoded.claims);
    if (problem !== undefined) return untrusted(problem, decoded);
    const identity = toIdentity(decoded.claims, rules, options.mapGroups);
    if (identity === undefined) {
      return untrusted(`has no subject in its claim \`${rules.subject}\``, decoded);
    }
    return cache.set(token, { identity, exp: checked.exp, key: undefined });
  }

  /** Verifies a token with each key of its runtime. During a rotation, a runtime has two keys. */
  async function verifyWithAny(
    token: string,
    { algorithm, claims }: DecodedToken,
    keys: readonly RuntimeKey[],
  ): Promise<TokenCheck> {
    let checked: TokenCheck = { kind: 'refused', why: 'has an invalid signature' };
    for (const { issuer, key } of keys) {
      checked = await verifyToken(token, claims, key, {
        algorithm,
        issuers: [issuer],
        audiences: options.audiences,
        subject_claim: rules.subject,
        now: now(),
        leeway: options.leeway,
      });
      if (checked.kind !== 'refused') return checked;
    }
    return checked;
  }

  return {
    identify,
    prepare: async () => undefined,
    announcesVerifiedEmail: () => false,
    check: async () => undefined,
    suspect: () => undefined,
    close: () => undefined,
  };
}

function keysFor(keys: readonly RuntimeKey[], { algorithm, claims }: DecodedToken): RuntimeKey[] {
  return keys.filter((one) => one.issuer === claims['iss'] && one.algorithm === algorithm);
}

/**
 * Describes a problem with the claim `act` (RFC 8693), which must be the runtime itself: its name, or an object with
 * the name as `sub`. A runtime may omit the claim unless it is registered with `--require-act` (SPEC-71).
 */
function actorProblem(keys: readonly RuntimeKey[], { act, iss }: JsonObject): string | undefined {
  if (act === undefined) {
    const isRequired = keys.some((key) => key.issuer === iss && key.require_act === true);
    return isRequired ? 'lacks the claim `act`, which this runtime must send' : undefined;
  }
  const actor = isJsonObject(act) ? act['sub'] : act;
  return actor === iss ? undefined : 'names a different runtime in its claim `act`';
}

function untrusted(why: string, decoded?: DecodedToken): RefusedCredential {
  const runtime_iss = namedIssuer(decoded);
  return {
    kind: 'refused',
    code: 'auth.untrusted_runtime',
    message: `The session token ${why}.`,
    details: runtime_iss === undefined ? {} : { runtime_iss },
  };
}
