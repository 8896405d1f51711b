/**
 * For a plain `LIMIT ?`, SQLite plans by the value and prepares the statement again on each change,
 * which costs more than most reads; a sum prevents that.
 */
export const LIMIT = 'LIMIT ? + 0';
