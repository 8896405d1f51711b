/** Maximum length of a name in the stores. */
const MAX_NAME = 1024;

/**
 * Rejects control characters and unpaired surrogates: not all stores preserve them, so two names could
 * become equal.
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
