import type { CatalogError, ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { ERROR_CODES, type ErrorCode } from '@catalog/contract/errors/error-codes';
import { toCatalogError } from '@catalog/contract/errors/read-envelope';
import { quoteRegistry, quoteServer } from './quote-server.ts';
import { NO_REDACTION, type Redaction } from './redact.ts';

/** Error of a registry with an unknown code, such as that of a plugin. */
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

const UNKNOWN_ADVICE = 'Ask the operator of the registry about this error.';
/** Maximum length of details in characters of JSON. */
const MAX_DETAILS = 65_536;
const CODE = /^[a-z][a-z0-9_]{0,63}\.[a-z][a-z0-9_]{0,63}$/;

/**
 * Creates an error of a registry, which may be untrusted: its message is quoted with its name and without credentials,
 * and the next step is catalog's own.
 */
export function errorOf(
  envelope: ErrorEnvelope,
  registry: string,
  redaction: Redaction = NO_REDACTION,
): CatalogError | RegistryError {
  const code = CODE.test(envelope.code) ? envelope.code : 'registry.unknown';
  const advice = getAdvice(code);
  const attributed = {
    code,
    message: attribute(envelope, registry, redaction, advice),
    details: limitDetails(redaction.value(envelope.details)),
    retryable: envelope.retryable,
    suggested_action: advice ?? UNKNOWN_ADVICE,
  };
  return (
    (advice === undefined ? undefined : toCatalogError(attributed)) ?? new RegistryError(attributed)
  );
}

/** Returns the next step of a code that registries return; others are about local problems. */
function getAdvice(code: string): string | undefined {
  if (!isErrorCode(code)) return undefined;
  const { status, suggested_action } = ERROR_CODES[code];
  return status === null ? undefined : suggested_action;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

function attribute(
  { message, suggested_action }: ErrorEnvelope,
  registry: string,
  redaction: Redaction,
  advice: string | undefined,
): string {
  const report = quoteRegistry(registry, redaction.words(message));
  if (suggested_action === '' || suggested_action === advice) return report;
  return `${report} It suggests: ${quoteServer(redaction.words(suggested_action))}`;
}

function limitDetails(details: unknown): Record<string, unknown> {
  if (typeof details !== 'object' || details === null) return {};
  return JSON.stringify(details).length > MAX_DETAILS ? {} : { ...details };
}
