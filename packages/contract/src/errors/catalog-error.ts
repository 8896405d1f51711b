import { ERROR_CODES, type ErrorCode } from './error-codes.ts';
import type { ErrorDetails } from './details.ts';

/** Error format of responses, of output with `--json`, and of items in a batch. */
export interface ErrorEnvelope {
  code: string;
  message: string;
  details: Record<string, unknown>;
  retryable: boolean;
  suggested_action: string;
}

export interface CatalogErrorOptions<Code extends ErrorCode> {
  details?: ErrorDetails<Code>;
  /** Suggested action, if it is better than the default of the error code. */
  suggested_action?: string;
  cause?: unknown;
}

/** Error code with details of its schema; the compiler rejects other combinations. */
export type CatalogErrorArguments = {
  [Code in ErrorCode]: [code: Code, message: string, options?: CatalogErrorOptions<Code>];
}[ErrorCode];

export class CatalogError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  readonly suggested_action: string;

  constructor(...[code, message, options = {}]: CatalogErrorArguments) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CatalogError';
    this.code = code;
    this.details = options.details ?? {};
    this.suggested_action = options.suggested_action ?? ERROR_CODES[code].suggested_action;
  }

  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable;
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
