import type { Settings } from '@catalog/server/config/settings';

/** Secret with which the registry accepts the headers of the test proxy. */
export const PROXY_SECRET = 'what only the proxy of the tests knows';

export const TRUSTED_HEADERS = {
  'identity_provider.type': 'trusted-headers',
  'identity_provider.proxy_secret': PROXY_SECRET,
} as const satisfies Partial<Settings>;

export const TRUSTED_HEADERS_MULTI_TENANT = {
  ...TRUSTED_HEADERS,
  multi_tenant: true,
} as const satisfies Partial<Settings>;

export interface TestCaller {
  subject: string;
  email?: string;
  groups?: readonly string[];
  org?: string;
}

export function asCaller({ subject, email, groups, org }: TestCaller): Record<string, string> {
  return {
    'x-catalog-proxy-secret': PROXY_SECRET,
    'x-catalog-user-sub': subject,
    ...(email === undefined ? {} : { 'x-catalog-user-email': email }),
    ...(groups === undefined ? {} : { 'x-catalog-user-groups': groups.join(',') }),
    ...(org === undefined ? {} : { 'x-catalog-user-org': org }),
  };
}

export function asAnonymous(): Record<string, string> {
  return { 'x-catalog-proxy-secret': PROXY_SECRET };
}
