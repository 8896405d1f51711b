import type { ErrorEnvelope } from './catalog-error.ts';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

/**
 * Returns the HTTP status of an error; null if it never occurs in a response. `registry.unavailable` has status 503 if
 * there is a retry delay.
 */
export function httpStatus(
  code: ErrorCode,
  { retry_after_seconds }: ErrorEnvelope['details'],
): number | null {
  const isTemporary = code === 'registry.unavailable' && typeof retry_after_seconds === 'number';
  return isTemporary ? 503 : ERROR_CODES[code].status;
}
