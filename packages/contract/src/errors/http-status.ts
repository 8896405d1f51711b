import type { ErrorEnvelope } from './catalog-error.ts';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

/**
 * Returns null for a code that no HTTP response carries. The status of `registry.unavailable` is 503 if
 * the response has a retry delay.
 */
export function httpStatus(
  code: ErrorCode,
  { retry_after_seconds }: ErrorEnvelope['details'],
): number | null {
  const isTemporary = code === 'registry.unavailable' && typeof retry_after_seconds === 'number';
  return isTemporary ? 503 : ERROR_CODES[code].status;
}
