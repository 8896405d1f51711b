/**
 * A limit that is bound. SQLite plans by the value of a plain `LIMIT ?` and prepares the statement
 * anew whenever it is bound, which costs more than most reads here do; it does not look into a sum.
 */
export const LIMIT = 'LIMIT ? + 0';
