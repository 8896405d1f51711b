import { CatalogError, type CatalogErrorArguments, type ErrorEnvelope } from './catalog-error.ts';
import { errorCatalogue } from './catalogue.ts';

/**
 * The envelope in an answer, or undefined where the answer is none of a registry's. It asks for what
 * a reader needs and lets later additions pass. No schema library: every command line loads it.
 */
export function getEnvelope(value: unknown): ErrorEnvelope | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { code, message, details, retryable, suggested_action }: Partial<ErrorEnvelope> = value;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  if (typeof retryable !== 'boolean' || typeof suggested_action !== 'string') return undefined;
  return { code, message, details: { ...details }, retryable, suggested_action };
}

/** The error an envelope carries; undefined for a code of a plugin, which is not in the catalogue. */
export function toCatalogError(envelope: ErrorEnvelope): CatalogError | undefined {
  const { code, message, details, suggested_action } = envelope;
  const error: unknown[] = [code, message, { details, suggested_action }];
  return isOfCatalogue(error, code) ? new CatalogError(...error) : undefined;
}

/** The registry has checked the details of its own codes; a client shows them as they come. */
function isOfCatalogue(error: unknown[], code: string): error is CatalogErrorArguments {
  return error[0] === code && Object.hasOwn(errorCatalogue, code);
}
