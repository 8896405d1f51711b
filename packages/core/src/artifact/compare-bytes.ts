const SURROGATE_OR_ABOVE = /[\uD800-\uFFFF]/;

/**
 * Compares strings by their UTF-8 bytes. The order of `<`, by UTF-16 units, differs only for surrogates, so only
 * strings that contain high units are compared one by one.
 */
export function compareBytes(a: string, b: string): number {
  if (SURROGATE_OR_ABOVE.test(a) && SURROGATE_OR_ABOVE.test(b)) return compareUnits(a, b);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function compareUnits(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x10000 : unit;
}
