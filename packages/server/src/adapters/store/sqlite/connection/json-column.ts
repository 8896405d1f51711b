declare const holds: unique symbol;

/** A column that this store wrote as the JSON of such a value. */
export type JsonText<Value> = string & { readonly [holds]?: Value };

export function readJson<Value>(text: JsonText<Value>): Value {
  return JSON.parse(text);
}
