import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { GIT_PROVIDERS } from '@catalog/contract/records/layer';

type GitProvider = (typeof GIT_PROVIDERS)[number];

export type HeaderOf = (name: string) => string | undefined;

interface Scheme {
  verify(header: HeaderOf, body: Uint8Array, secret: string): boolean;
  /** Headers with a delivery id, of which the first present one is used. */
  delivery_ids: readonly string[];
}

/** Signature scheme per git host (SPEC-30). */
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

/** Returns the scheme of a git host; the default for an empty or unknown name. */
function schemeOf(git_provider: string): Scheme {
  return isProvider(git_provider) ? SCHEMES[git_provider] : SCHEMES['git-host-a'];
}

function isProvider(name: string): name is GitProvider {
  return Object.hasOwn(SCHEMES, name);
}

/** Verifies a signature. The duration is the same for right and wrong secrets. */
export function isSigned(
  layer: { git_provider: string; webhook_secret: string },
  header: HeaderOf,
  body: Uint8Array,
): boolean {
  if (layer.webhook_secret === '') return false;
  return schemeOf(layer.git_provider).verify(header, body, layer.webhook_secret);
}

const MAX_DELIVERY_ID_LENGTH = 200;

export function deliveryId(git_provider: string, header: HeaderOf): string | undefined {
  for (const name of schemeOf(git_provider).delivery_ids) {
    const value = header(name);
    if (value !== undefined && value !== '') return value.slice(0, MAX_DELIVERY_ID_LENGTH);
  }
  return undefined;
}

/** Commit id with SHA-1 or SHA-256. */
const COMMIT = /\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/;

/**
 * Returns an id for the body of a delivery, because the delivery id is not signed. Undefined without a commit id,
 * because two pushes could send the same body.
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

/** Compares digests, so that the duration reveals nothing about the secret. */
function isEqual(given: string, secret: string): boolean {
  const [left, right] = [given, secret].map((text) =>
    createHmac('sha256', 'equality').update(text).digest(),
  );
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
