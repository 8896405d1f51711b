import { createHash, timingSafeEqual } from 'node:crypto';
import { ONLY_TENANT, type Tenant } from '@catalog/core/ports/tenant';
import { ScimError } from '@catalog/core/scim/scim-error';
import { readScimTokens } from '../../config/check-scim-tokens.ts';
import type { Settings } from '../../config/settings.ts';
import type { Registry } from '../../registry/registry.ts';

/** Who may push, and into which tenant. */
export interface ScimAuthority {
  /** The tenant of the token in an `Authorization` header; throws what is answered where there is none. */
  admit(registry: Registry, authorization: string | undefined): Promise<Tenant>;
}

interface KnownToken {
  organization: string | undefined;
  digest: Buffer;
}

/** The authority the settings name; undefined where no directory may push. */
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

/** Looks at every token, and at digests: how long it takes tells nothing of any of them. */
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

/** A tenant that was deactivated has no directory. */
async function tenantOf(registry: Registry, organization: string | undefined): Promise<Tenant> {
  if (organization === undefined) return ONLY_TENANT;
  const record = await registry.store.tenants.find(organization);
  if (record?.active === true) return record.tenant;
  throw new ScimError(
    401,
    'The tenant of this token does not exist or is deactivated (auth.tenant_unknown).',
  );
}
