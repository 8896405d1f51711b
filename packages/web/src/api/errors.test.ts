import { ERROR_CODES } from '@catalog/contract/errors/error-codes';
import { expect, test } from 'vitest';
import { isSessionRejected, RegistryError } from './errors.ts';

test('a new sign-in fixes exactly the errors that reject the token', () => {
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
