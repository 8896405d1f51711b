import { CatalogError, type CatalogErrorArguments, type ErrorEnvelope } from './catalog-error.ts';
import { ERROR_CODES } from './error-codes.ts';

/**
 * Checks only the keys that readers need, so that later additions pass. Does not use a schema library
 * because every CLI start loads this module.
 */
export function getEnvelope(value: unknown): ErrorEnvelope | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { code, message, details, retryable, suggested_action }: Partial<ErrorEnvelope> = value;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  if (typeof retryable !== 'boolean' || typeof suggested_action !== 'string') return undefined;
  return { code, message, details: { ...details }, retryable, suggested_action };
}

/** Returns the error of an envelope; undefined for the code of a plugin. */
export function toCatalogError(envelope: ErrorEnvelope): CatalogError | undefined {
  const { code, message, details, suggested_action } = envelope;
  const error: unknown[] = [code, message, { details, suggested_action }];
  return hasRegistryCode(error, code) ? new CatalogError(...error) : undefined;
}

/** Checks only the code: the registry has validated the details of its own codes. */
function hasRegistryCode(error: unknown[], code: string): error is CatalogErrorArguments {
  return error[0] === code && Object.hasOwn(ERROR_CODES, code);
}
