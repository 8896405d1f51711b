/** Maximum length of a stored name. */
const MAX_NAME = 1024;

/**
 * Returns true for a valid name. Control characters and unpaired surrogates are rejected: some stores change them, so
 * that two names could become equal.
 */
export function isName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= MAX_NAME &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value)
  );
}
