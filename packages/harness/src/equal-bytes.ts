export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one === other) return true;
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
