/**
 * A sum instead of a plain `LIMIT ?`: SQLite would plan a plain limit by its value and prepare the statement again on
 * each change.
 */
export const LIMIT = 'LIMIT ? + 0';
