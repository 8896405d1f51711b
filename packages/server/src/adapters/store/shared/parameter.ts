/** A parameter of a statement. A list is bound as a whole, JSON as a string. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | boolean | null | Uint8Array)[];
