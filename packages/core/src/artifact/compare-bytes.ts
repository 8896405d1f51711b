const SURROGATE_OR_ABOVE = /[\uD800-\uFFFF]/;

/**
 * Orders strings by their UTF-8 bytes. The UTF-16 order of `<` differs only if a surrogate is
 * compared with a unit above the surrogates. Therefore only two strings that both contain such
 * units are compared unit by unit.
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
