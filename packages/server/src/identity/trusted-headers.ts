import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { IdentityVerdict, RefusedCredential } from '@catalog/core/identity/caller';
import type { GroupMapping } from './group-mapping.ts';
import { isName } from './is-name.ts';
import { ANONYMOUS, type IdentityProvider } from './provider.ts';

export interface TrustedHeadersOptions {
  /** Secrets of proxies; if empty, every client that can reach the port is trusted. */
  proxy_secrets: readonly string[];
  mapGroups: GroupMapping;
}

const SUB = 'x-catalog-user-sub';
const EMAIL = 'x-catalog-user-email';
const GROUPS = 'x-catalog-user-groups';
const ORG = 'x-catalog-user-org';
const SECRET = 'x-catalog-proxy-secret';
const NAMES: ReadonlySet<string> = new Set([SUB, EMAIL, GROUPS, ORG, SECRET]);

/** Number of cached callers at which the cache is cleared. */
const MAX_CALLERS = 10_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function createTrustedHeadersProvider({
  proxy_secrets,
  mapGroups,
}: TrustedHeadersOptions): IdentityProvider {
  const expected = proxy_secrets.map(digest);
  const callers = new Map<string, IdentityVerdict>();

  function identify({ rawHeaders }: IncomingMessage): IdentityVerdict {
    const read = readHeaders(rawHeaders);
    if (read.kind === 'refused') return read;
    const { values } = read;
    if (expected.length > 0) {
      const sent = digest(values.get(SECRET) ?? '');
      if (!expected.some((secret) => timingSafeEqual(sent, secret))) return ANONYMOUS;
    }
    // Equal headers return the same object, by which other data of the caller is cached.
    const key = JSON.stringify([SUB, EMAIL, GROUPS, ORG].map((name) => values.get(name)));
    const before = callers.get(key);
    if (before !== undefined) return before;
    const verdict = toVerdict(values, mapGroups);
    if (callers.size >= MAX_CALLERS) callers.clear();
    callers.set(key, verdict);
    return verdict;
  }

  return {
    identify,
    prepare: async () => undefined,
    announcesVerifiedEmail: () => true,
    check: async () => undefined,
    suspect: () => undefined,
    close: () => undefined,
  };
}

/** Hashes a value, so that the duration of a comparison reveals nothing. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

type ReadHeaders = { kind: 'read'; values: ReadonlyMap<string, string> } | RefusedCredential;

/** Reads the identity headers. A repeated header is rejected, because Node would join two values into one name. */
function readHeaders(raw: readonly string[]): ReadHeaders {
  const values = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? '';
    if (!NAMES.has(name)) continue;
    if (values.has(name)) return refused(name, 'was sent more than once');
    const value = decode(raw[at + 1] ?? '');
    if (value === undefined) return refused(name, 'is not UTF-8');
    values.set(name, value.trim());
  }
  return { kind: 'read', values };
}

/** Decodes a header as UTF-8; Node reads headers as Latin-1. */
function decode(value: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return undefined;
  }
}

function refused(name: string, why: string): RefusedCredential {
  const argument = name.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
  return {
    kind: 'refused',
    code: 'registry.invalid_argument',
    message: `The header ${argument} ${why}.`,
    details: { argument },
  };
}

function toVerdict(values: ReadonlyMap<string, string>, mapGroups: GroupMapping): IdentityVerdict {
  const subject = values.get(SUB);
  if (!isName(subject)) return ANONYMOUS;
  const email = values.get(EMAIL);
  const groups = values.get(GROUPS)?.split(',') ?? [];
  const organization = values.get(ORG);
  return {
    kind: 'subject',
    subject,
    email: isName(email) ? email : '',
    email_verified: isName(email),
    groups: mapGroups(groups.map((group) => group.trim()).filter(isName)),
    organization: isName(organization) ? organization : undefined,
    grants: undefined,
  };
}
