/** A list is bound as a whole; JSON is bound as a string. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | boolean | null | Uint8Array)[];
