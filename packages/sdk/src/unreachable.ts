import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { isLoopback } from './is-loopback.ts';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'the host name cannot be resolved',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the host',
  ETIMEDOUT: 'it timed out',
  UND_ERR_CONNECT_TIMEOUT: 'it timed out',
};

const MAX_REASON = 300;

const UNKNOWN_SIGNER = /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/;

/** Creates the error for an unreachable registry. A catalog error stays as it is (ERR-63). */
export function unreachable(registry: string, cause: unknown): CatalogError {
  if (cause instanceof CatalogError) return cause;
  const suggested_action = adviceFor(cause, registry);
  return new CatalogError(
    'network.registry_unreachable',
    `The registry at ${registry} is unreachable: ${describeUnreachable(cause)}.`,
    {
      details: { registry },
      cause,
      ...(suggested_action === undefined ? {} : { suggested_action }),
    },
  );
}

/** Describes why there was no response. */
export function describeUnreachable(cause: unknown): string {
  // Shortened, because a system message can contain a whole certificate.
  const reason = isTimeout(cause) ? REASONS['ETIMEDOUT'] : shorten(messageOf(cause));
  return REASONS[codeOf(cause)] ?? reason ?? 'no response';
}

/** Returns advice for a certificate of an unknown issuer; undefined for other failures. */
export function adviceForCertificate(cause: unknown): string | undefined {
  return UNKNOWN_SIGNER.test(codeOf(cause))
    ? "Trust your organization's certificate: NODE_EXTRA_CA_CERTS=/path/to/ca.pem."
    : undefined;
}

function adviceFor(cause: unknown, registry: string): string | undefined {
  if (codeOf(cause) === 'ECONNREFUSED' && isLoopback(new URL(registry).hostname)) {
    return 'Start it with `catalog serve`, or use another registry with --registry.';
  }
  return adviceForCertificate(cause);
}

/** Creates the error for a response of something other than a registry, such as a portal or proxy. */
export function notARegistry(registry: string, what: string): CatalogError {
  return new CatalogError('network.registry_unreachable', `${registry} ${what}.`, {
    details: { registry },
    suggested_action:
      'Check the URL of the registry. Behind a proxy it may need a path, and the response may come from the proxy.',
  });
}

/** Thrown if a response exceeds its maximum size after decompression. */
export class BodyTooLarge extends RangeError {
  readonly limit: number;

  constructor(limit: number) {
    super(`the response is larger than ${limit} bytes`);
    this.name = 'BodyTooLarge';
    this.limit = limit;
  }
}

/** Creates the error for a response body that exceeds the size limit of its request. */
export function tooLarge(registry: string, cause: BodyTooLarge): CatalogError {
  return new CatalogError(
    'network.registry_unreachable',
    `${registry} sent a response larger than the limit of ${cause.limit} bytes for this request.`,
    {
      details: { registry },
      suggested_action:
        'Report this to the operator of the registry: no valid response is this large.',
      cause,
    },
  );
}

/** Returns the error code of the system; empty if there is none. */
export function codeOf(cause: unknown): string {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ('code' in error && typeof error.code === 'string') return error.code;
  }
  return '';
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'TimeoutError';
}

function shorten(text: string | undefined): string | undefined {
  return text === undefined ? undefined : escapeControls(text.slice(0, MAX_REASON));
}

/** The wrapper of `fetch` adds no information. */
function messageOf(cause: unknown): string | undefined {
  let message: string | undefined;
  for (let error = cause; error instanceof Error; error = error.cause) {
    if (error.message !== '') message = error.message.replace(/\.$/, '');
  }
  return message;
}
