import { errorCatalogue, type ErrorCode } from './catalogue.ts';
import type { ErrorDetails } from './details.ts';

/** The one shape every error has, on the wire, on stdout under `--json`, in a batch item. */
export interface ErrorEnvelope {
  code: string;
  message: string;
  details: Record<string, unknown>;
  retryable: boolean;
  suggested_action: string;
}

export interface CatalogErrorOptions<Code extends ErrorCode> {
  details?: ErrorDetails<Code>;
  /** Replaces the catalogue's own advice where the place of the failure knows better. */
  suggested_action?: string;
  cause?: unknown;
}

/** A code with the details its schema allows: others do not compile. */
export type CatalogErrorArguments = {
  [Code in ErrorCode]: [code: Code, message: string, options?: CatalogErrorOptions<Code>];
}[ErrorCode];

/** An error with a code of the catalogue. Everything the program refuses, it refuses with one. */
export class CatalogError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  readonly suggested_action: string;

  constructor(...[code, message, options = {}]: CatalogErrorArguments) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CatalogError';
    this.code = code;
    this.details = options.details ?? {};
    this.suggested_action = options.suggested_action ?? errorCatalogue[code].suggested_action;
  }

  get retryable(): boolean {
    return errorCatalogue[this.code].retryable;
  }

  toEnvelope(): ErrorEnvelope {
    return {
      code: this.code,
      message: this.message,
      details: this.details,
      retryable: this.retryable,
      suggested_action: this.suggested_action,
    };
  }
}
