type Scalar = string | number | boolean | null;

/** Converts rows to one array per column, for `unnest`. */
export function columns<Key extends string>(
  rows: readonly { readonly [Name in NoInfer<Key>]: Scalar }[],
  ...keys: readonly Key[]
): Scalar[][] {
  return keys.map((key) => rows.map((row) => row[key]));
}
