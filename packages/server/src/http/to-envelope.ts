import { CatalogError, type ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { errorCatalogue } from '@catalog/contract/errors/catalogue';
import { httpStatus } from '@catalog/contract/errors/http-status';

/** An error as it is answered. */
export interface ErrorAnswer {
  status: number;
  code: string;
  details: ErrorEnvelope['details'];
  /** The body, as JSON of this media type. */
  value: object;
  media_type: string;
  /** The cause is the registry's, not the caller's: somebody has to look into the log. */
  unexpected: boolean;
}

/**
 * What a caller is told of an error. Whatever has no code is a failed dependency as far as a caller
 * can know; it says nothing but where to find it in the log (ERR-82).
 */
export function toErrorAnswer(error: unknown, request_id: string): ErrorAnswer {
  if (error instanceof CatalogError && error.code !== 'registry.unavailable') {
    const status = errorCatalogue[error.code].status ?? 500;
    // A refusal in read-only mode is what was to be expected; the mode itself is in the log.
    const unexpected = status >= 500 && error.code !== 'registry.read_only';
    return { ...inEnvelope(error), status, unexpected };
  }
  const known = error instanceof CatalogError ? error : undefined;
  const seconds = known?.details['retry_after_seconds'];
  const isTemporary = known !== undefined && typeof seconds === 'number';
  const wait = isTemporary ? { retry_after_seconds: seconds } : {};
  const unavailable = new CatalogError(
    'registry.unavailable',
    known?.message ?? 'The registry failed to process this request.',
    {
      details: { request_id, ...wait },
      ...(isTemporary ? { suggested_action: known.suggested_action } : {}),
    },
  );
  const status = httpStatus('registry.unavailable', wait) ?? 500;
  // A missing issuer has its own line in the log.
  return { ...inEnvelope(unavailable), status, unexpected: status === 500 };
}

function inEnvelope(error: CatalogError): Omit<ErrorAnswer, 'status' | 'unexpected'> {
  const value = error.toEnvelope();
  return { code: value.code, details: value.details, value, media_type: 'application/json' };
}
