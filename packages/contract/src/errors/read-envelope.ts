import { CatalogError, type CatalogErrorArguments, type ErrorEnvelope } from './catalog-error.ts';
import { ERROR_CODES } from './error-codes.ts';

/**
 * Returns the error in a response, if there is one. Checks only the required keys, so that later additions are
 * accepted. Uses no schema library, because every program start loads this module.
 */
export function getEnvelope(value: unknown): ErrorEnvelope | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { code, message, details, retryable, suggested_action }: Partial<ErrorEnvelope> = value;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  if (typeof retryable !== 'boolean' || typeof suggested_action !== 'string') return undefined;
  return { code, message, details: { ...details }, retryable, suggested_action };
}

/** Converts an envelope to an error; undefined for the code of a plugin. */
export function toCatalogError(envelope: ErrorEnvelope): CatalogError | undefined {
  const { code, message, details, suggested_action } = envelope;
  const error: unknown[] = [code, message, { details, suggested_action }];
  return hasRegistryCode(error, code) ? new CatalogError(...error) : undefined;
}

/** Returns true for an error with a code of the registry, which has already validated the details. */
function hasRegistryCode(error: unknown[], code: string): error is CatalogErrorArguments {
  return error[0] === code && Object.hasOwn(ERROR_CODES, code);
}
