type Scalar = string | number | boolean | null;

/** Some members of many rows, as the arrays that `unnest` makes rows of again. */
export function columns<Key extends string>(
  rows: readonly { readonly [Name in NoInfer<Key>]: Scalar }[],
  ...keys: readonly Key[]
): Scalar[][] {
  return keys.map((key) => rows.map((row) => row[key]));
}
