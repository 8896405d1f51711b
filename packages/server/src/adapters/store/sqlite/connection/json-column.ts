declare const holds: unique symbol;

/** JSON stored as a string, with the type of its value. */
export type JsonText<Value> = string & { readonly [holds]?: Value };

export function readJson<Value>(text: JsonText<Value>): Value {
  return JSON.parse(text);
}
