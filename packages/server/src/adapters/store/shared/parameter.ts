/** Value of a parameter. A list is bound as a whole; JSON is bound as its text. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | boolean | null | Uint8Array)[];
