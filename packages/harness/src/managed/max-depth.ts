/** Maximum nesting, which prevents a stack overflow on a file of opening brackets. */
export const MAX_DEPTH = 256;
