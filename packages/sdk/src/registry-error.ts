import type { CatalogError, ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { toCatalogError } from '@catalog/contract/errors/read-envelope';

/** An error a registry answered under a code of its own plugins: the same envelope, another namespace. */
export class RegistryError extends Error {
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly retryable: boolean;
  readonly suggested_action: string;

  constructor({ code, message, details, retryable, suggested_action }: ErrorEnvelope) {
    super(message);
    this.name = 'RegistryError';
    this.code = code;
    this.details = details;
    this.retryable = retryable;
    this.suggested_action = suggested_action;
  }

  toEnvelope(): ErrorEnvelope {
    const { code, message, details, retryable, suggested_action } = this;
    return { code, message, details, retryable, suggested_action };
  }
}

/** The error an envelope stands for: the catalogue's own where the code is in it. */
export function errorOf(envelope: ErrorEnvelope): CatalogError | RegistryError {
  return toCatalogError(envelope) ?? new RegistryError(envelope);
}
