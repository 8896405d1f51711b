import { z } from 'zod';
import { errorCatalogue, type ErrorCode } from './catalogue.ts';
import { errorDetails } from './details.ts';

/** `<namespace>.<name>`; a plugin brings its own namespace and keeps the form (ERR-03, ERR-04). */
export const errorCodePattern = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;

/**
 * The envelope of every error (ERR-01), checked strictly: no key beside the five, and for a code of
 * the catalogue the details and `retryable` that the catalogue gives it.
 */
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
    const row = errorCatalogue[envelope.code];
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

/** Whether a code is one of ours; false for a plugin's. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}
