declare const holds: unique symbol;

/** Carries the type of the JSON value. */
export type JsonText<Value> = string & { readonly [holds]?: Value };

export function readJson<Value>(text: JsonText<Value>): Value {
  return JSON.parse(text);
}
