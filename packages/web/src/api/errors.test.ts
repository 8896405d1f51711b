import { ERROR_CODES } from '@catalog/contract/errors/error-codes';
import { expect, test } from 'vitest';
import { isSessionRejected, RegistryError } from './errors.ts';

test('the errors that a new sign-in fixes are those that reject the token', () => {
  const rejected = Object.keys(ERROR_CODES).filter((code) =>
    isSessionRejected(
      new RegistryError(401, {
        code,
        message: 'No.',
        details: {},
        suggested_action: 'Try again.',
        retryable: false,
      }),
    ),
  );
  expect(rejected.toSorted()).toEqual([
    'auth.token_expired',
    'auth.untrusted_runtime',
    'auth.untrusted_token',
  ]);
});
