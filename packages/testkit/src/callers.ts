import type { Settings } from '@catalog/server/config/settings';

/** What the proxy in front of a test's registry sends, so that what it says is believed. */
export const PROXY_SECRET = 'what only the proxy of the tests knows';

/** Settings of a registry that believes the headers `asCaller` gives. */
export const TRUSTED_HEADERS = {
  'identity_provider.type': 'trusted-headers',
  'identity_provider.proxy_secret': PROXY_SECRET,
} as const satisfies Partial<Settings>;

/** The same, with several tenants. */
export const TRUSTED_HEADERS_MULTI_TENANT = {
  ...TRUSTED_HEADERS,
  multi_tenant: true,
} as const satisfies Partial<Settings>;

/** Somebody the proxy has authenticated. */
export interface TestCaller {
  subject: string;
  email?: string;
  groups?: readonly string[];
  /** The organization, by name or id. */
  org?: string;
}

/** The headers with which the proxy forwards a request of somebody. */
export function asCaller({ subject, email, groups, org }: TestCaller): Record<string, string> {
  return {
    'x-catalog-proxy-secret': PROXY_SECRET,
    'x-catalog-user-sub': subject,
    ...(email === undefined ? {} : { 'x-catalog-user-email': email }),
    ...(groups === undefined ? {} : { 'x-catalog-user-groups': groups.join(',') }),
    ...(org === undefined ? {} : { 'x-catalog-user-org': org }),
  };
}

/** Somebody the proxy let through without knowing them. */
export function asNobody(): Record<string, string> {
  return { 'x-catalog-proxy-secret': PROXY_SECRET };
}
