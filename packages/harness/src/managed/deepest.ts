/** Prevents a stack overflow on a file of opening brackets. */
export const DEEPEST = 256;
