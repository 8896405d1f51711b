/** Deeper than any configuration; a file of opening brackets must not exhaust the stack. */
export const DEEPEST = 256;
