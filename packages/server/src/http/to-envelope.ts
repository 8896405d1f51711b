import { CatalogError, type ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { ERROR_CODES } from '@catalog/contract/errors/error-codes';
import { httpStatus } from '@catalog/contract/errors/http-status';

export interface ErrorResponse {
  status: number;
  code: string;
  details: ErrorEnvelope['details'];
  value: object;
  media_type: string;
  /** True for internal errors, which the operator finds in the log. */
  unexpected: boolean;
}

/**
 * Converts an error to a response. An error without a code becomes `registry.unavailable`, and its response contains
 * only the request id (ERR-82).
 */
export function toErrorResponse(error: unknown, request_id: string): ErrorResponse {
  if (error instanceof CatalogError && error.code !== 'registry.unavailable') {
    const status = ERROR_CODES[error.code].status ?? 500;
    // Rejections in read-only mode are expected, and the change of the mode is logged.
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
  return { ...inEnvelope(unavailable), status, unexpected: status === 500 };
}

function inEnvelope(error: CatalogError): Omit<ErrorResponse, 'status' | 'unexpected'> {
  const value = error.toEnvelope();
  return { code: value.code, details: value.details, value, media_type: 'application/json' };
}
