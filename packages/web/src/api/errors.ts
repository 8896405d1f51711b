import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';

export class RegistryError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly suggested_action: string;
  readonly retryable: boolean;

  constructor(status: number, envelope: ErrorEnvelope) {
    super(envelope.message);
    this.name = 'RegistryError';
    this.status = status;
    this.code = envelope.code;
    this.details = envelope.details;
    this.suggested_action = envelope.suggested_action;
    this.retryable = envelope.retryable;
  }
}

/** Error of a request without a response, or with one that is not from a registry. */
export class UnreachableError extends Error {
  constructor(cause?: unknown) {
    super('The registry did not respond.', { cause });
    this.name = 'UnreachableError';
  }
}

const EXPIRED: ReadonlySet<string> = new Set([
  'auth.token_expired',
  'auth.untrusted_token',
  'auth.untrusted_runtime',
]);

/** Returns true if signing in again can fix the error. */
export function isSessionRejected(error: unknown): boolean {
  return error instanceof RegistryError && EXPIRED.has(error.code);
}

export function isNotFound(error: unknown): boolean {
  return error instanceof RegistryError && error.code.endsWith('not_found');
}
