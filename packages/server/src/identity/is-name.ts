/** Longer is no name of anybody, and would not fit where names are kept. */
const MAX_NAME = 1024;

/**
 * Whether a value can name a subject, a group or an organization: a text that every part of the
 * registry keeps as it is. Control characters and halves of characters are not kept by all stores, so
 * that two names could become one.
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
