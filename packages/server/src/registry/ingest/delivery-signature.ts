import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { GIT_PROVIDERS } from '@catalog/contract/records/layer';

type GitProvider = (typeof GIT_PROVIDERS)[number];

/** Reads a header by its lower-case name. */
export type HeaderOf = (name: string) => string | undefined;

interface Scheme {
  /** Whether the delivery was made with the secret. */
  verify(header: HeaderOf, body: Uint8Array, secret: string): boolean;
  /** Headers that tell one delivery from another, the first that is there. */
  delivery_ids: readonly string[];
}

/** How each git host proves that a delivery is its own (SPEC-30). */
const SCHEMES: Readonly<Record<GitProvider, Scheme>> = {
  'git-host-a': {
    verify: (header, body, secret) =>
      isDigest(/^sha256=([0-9a-f]{64})$/i, header('x-hub-signature-256'), body, secret),
    delivery_ids: ['x-github-delivery'],
  },
  'git-host-b': {
    verify: (header, _body, secret) => isEqual(header('x-gitlab-token') ?? '', secret),
    delivery_ids: ['x-gitlab-event-uuid', 'webhook-id'],
  },
  'git-host-c': {
    verify: (header, body, secret) =>
      isDigest(/^(?:sha256=)?([0-9a-f]{64})$/i, header('x-hub-signature'), body, secret),
    delivery_ids: ['x-request-uuid'],
  },
};

/** An empty provider is the default one; so is a name this version does not know. */
function schemeOf(git_provider: string): Scheme {
  return isProvider(git_provider) ? SCHEMES[git_provider] : SCHEMES['git-host-a'];
}

function isProvider(name: string): name is GitProvider {
  return Object.hasOwn(SCHEMES, name);
}

/** Whether a delivery was made with the layer's secret. Takes as long for a wrong one as for a right one. */
export function isSigned(
  layer: { git_provider: string; webhook_secret: string },
  header: HeaderOf,
  body: Uint8Array,
): boolean {
  if (layer.webhook_secret === '') return false;
  return schemeOf(layer.git_provider).verify(header, body, layer.webhook_secret);
}

const LONGEST_DELIVERY_ID = 200;

/** What the host calls the delivery; undefined where it has no name for it. */
export function deliveryId(git_provider: string, header: HeaderOf): string | undefined {
  for (const name of schemeOf(git_provider).delivery_ids) {
    const value = header(name);
    if (value !== undefined && value !== '') return value.slice(0, LONGEST_DELIVERY_ID);
  }
  return undefined;
}

/** A full commit id of git, SHA-1 or SHA-256. */
const COMMIT = /\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/;

/**
 * What a signed body is called, whatever delivery id comes with it: the id is in a header that no
 * signature covers. Undefined for a body that names no commit, which two pushes may well share.
 */
export function bodyId(body: Uint8Array): string | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!COMMIT.test(bytes.toString('latin1'))) return undefined;
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function isDigest(
  form: RegExp,
  given: string | undefined,
  body: Uint8Array,
  secret: string,
): boolean {
  const digest = createHmac('sha256', secret).update(body).digest();
  const claimed = Buffer.from(form.exec(given ?? '')?.[1] ?? '', 'hex');
  return claimed.length === digest.length && timingSafeEqual(claimed, digest);
}

/** Through digests, so that neither the place of a difference nor a length shows in the time. */
function isEqual(given: string, secret: string): boolean {
  const [left, right] = [given, secret].map((text) =>
    createHmac('sha256', 'equality').update(text).digest(),
  );
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
