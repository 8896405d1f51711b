import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';
import { errorDetails } from './details.ts';

/** Error code of the registry or, with its own namespace, of a plugin (ERR-03, ERR-04). */
export const errorCodePattern = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;

/** Schema of an error. Additional keys are rejected, and `details` and `retryable` must match the code (ERR-01). */
export const errorEnvelope = z
  .strictObject({
    code: z.string().regex(errorCodePattern),
    message: z.string().min(1),
    details: z.record(z.string(), z.unknown()),
    retryable: z.boolean(),
    suggested_action: z.string().min(1),
  })
  .superRefine((envelope, context) => {
    if (!isErrorCode(envelope.code)) return;
    const row = ERROR_CODES[envelope.code];
    if (envelope.retryable !== row.retryable) {
      context.addIssue({
        code: 'custom',
        path: ['retryable'],
        message: `${envelope.code} is ${row.retryable ? '' : 'not '}retryable`,
      });
    }
    for (const issue of errorDetails[envelope.code].safeParse(envelope.details).error?.issues ??
      []) {
      context.addIssue({
        code: 'custom',
        path: ['details', ...issue.path],
        message: issue.message,
      });
    }
  });

/** Returns true if the registry defines the code, false if a plugin does. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}
