import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { isLoopback } from './is-loopback.ts';

/** What the codes of the platform mean to a person. */
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

/** Maximum length of a reason that the platform gives. */
const MAX_REASON = 300;

/** Codes that speak of a certificate nobody known has signed. */
const UNKNOWN_SIGNER = /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/;

/** No answer came, or not a whole one (ERR-63). A cause that already is one of our errors says more. */
export function unreachable(registry: string, cause: unknown): CatalogError {
  if (cause instanceof CatalogError) return cause;
  const suggested_action = adviceFor(cause, registry);
  return new CatalogError(
    'network.registry_unreachable',
    `The registry at ${registry} is unreachable: ${whyNoAnswer(cause)}.`,
    {
      details: { registry },
      cause,
      ...(suggested_action === undefined ? {} : { suggested_action }),
    },
  );
}

/** Why no answer came, in words for a person. */
export function whyNoAnswer(cause: unknown): string {
  // A certificate, for example, can be part of the message.
  const reason = isTimeout(cause) ? REASONS['ETIMEDOUT'] : shorten(messageOf(cause));
  return REASONS[codeOf(cause)] ?? reason ?? 'no response';
}

/** What helps where nobody known has signed a certificate; undefined for every other failure. */
export function adviceForCertificate(cause: unknown): string | undefined {
  return UNKNOWN_SIGNER.test(codeOf(cause))
    ? "Trust your organization's certificate: NODE_EXTRA_CA_CERTS=/path/to/ca.pem."
    : undefined;
}

/** What helps beyond looking at the network and the address. */
function adviceFor(cause: unknown, registry: string): string | undefined {
  if (codeOf(cause) === 'ECONNREFUSED' && isLoopback(new URL(registry).hostname)) {
    return 'Start it with `catalog serve`, or use another registry with --registry.';
  }
  return adviceForCertificate(cause);
}

/** Something answers at the address, but it is no registry: a portal, a proxy, another service. */
export function notARegistry(registry: string, what: string): CatalogError {
  return new CatalogError('network.registry_unreachable', `${registry} ${what}.`, {
    details: { registry },
    suggested_action:
      'Check the URL of the registry. Behind a proxy it may need a path, and the response may come from the proxy.',
  });
}

/** A response body that exceeds its limit after decompression. */
export class BodyTooLarge extends RangeError {
  readonly limit: number;

  constructor(limit: number) {
    super(`the response is larger than ${limit} bytes`);
    this.name = 'BodyTooLarge';
    this.limit = limit;
  }
}

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

/** The platform's code for a failure; empty where it has none. */
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

/** The innermost message: what `fetch` wraps around it says nothing. */
function messageOf(cause: unknown): string | undefined {
  let message: string | undefined;
  for (let error = cause; error instanceof Error; error = error.cause) {
    if (error.message !== '') message = error.message.replace(/\.$/, '');
  }
  return message;
}
