import { createHash, timingSafeEqual } from 'node:crypto';
import { ONLY_TENANT, type Tenant } from '@catalog/core/ports/tenant';
import { ScimError } from '@catalog/core/scim/scim-error';
import { readScimTokens } from '../../config/check-scim-tokens.ts';
import type { Settings } from '../../config/settings.ts';
import type { Registry } from '../../registry/registry.ts';

export interface ScimAuthority {
  /** Finds the tenant of a SCIM token. Throws if the header contains no valid token. */
  admit(registry: Registry, authorization: string | undefined): Promise<Tenant>;
}

interface KnownToken {
  organization: string | undefined;
  digest: Buffer;
}

export function scimAuthority(
  settings: Pick<Settings, 'scim.tokens' | 'multi_tenant'>,
): ScimAuthority | undefined {
  const known = readScimTokens(settings).map(({ organization, token }): KnownToken => ({
    organization,
    digest: digestOf(token),
  }));
  if (known.length === 0) return undefined;
  return {
    async admit(registry, authorization) {
      const found = findToken(known, authorization);
      if (found === undefined) {
        throw new ScimError(
          401,
          'The bearer token is not valid for this registry (auth.untrusted_token).',
        );
      }
      return tenantOf(registry, found.organization);
    },
  };
}

/** Finds a token by comparing digests of all tokens, so that the duration reveals nothing. */
function findToken(
  known: readonly KnownToken[],
  authorization: string | undefined,
): KnownToken | undefined {
  const given = /^Bearer +(?<token>\S+) *$/i.exec(authorization ?? '')?.groups?.['token'];
  const digest = digestOf(given ?? '');
  let found: KnownToken | undefined;
  for (const one of known) {
    if (timingSafeEqual(one.digest, digest)) found = one;
  }
  return given === undefined ? undefined : found;
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the tenant of an organization. A deactivated tenant accepts no SCIM requests. */
async function tenantOf(registry: Registry, organization: string | undefined): Promise<Tenant> {
  if (organization === undefined) return ONLY_TENANT;
  const record = await registry.store.tenants.find(organization);
  if (record?.active === true) return record.tenant;
  throw new ScimError(
    401,
    'The tenant of this token does not exist or is deactivated (auth.tenant_unknown).',
  );
}
