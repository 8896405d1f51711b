/** A comparison of a range; its version may be partial, such as `3.11` or `20.x`. */
interface Comparator {
  operator: string;
  parts: readonly number[];
}

type Version = readonly [number, number, number];

const COMPARATOR = /^(>=|<=|==|!=|~=|>|<|=|\^|~)?\s*v?(\d+(?:\.(?:\d+|[xX*])){0,2}|[xX*])$/;
const VERSION = /(\d+)\.(\d+)(?:\.(\d+))?/;

export function findVersion(text: string): Version | undefined {
  const [, major, minor, patch = '0'] = VERSION.exec(text) ?? [];
  if (major === undefined || minor === undefined) return undefined;
  return [Number(major), Number(minor), Number(patch)];
}

/**
 * Returns true if a version is in a range of Python or Node: comparisons separated by spaces or commas, and
 * alternatives separated by `||`. A version without an operator matches its whole release line. Returns undefined if
 * the range is malformed.
 */
export function inRange(version: Version, range: string): boolean | undefined {
  const alternatives = range.split('||').map(readComparators);
  if (alternatives.some((all) => all === undefined)) return undefined;
  return alternatives.some((all) => all?.every((one) => holds(version, one)) === true);
}

function readComparators(text: string): Comparator[] | undefined {
  const words = text
    .trim()
    .replaceAll(/([<>=!~^])\s+/g, '$1')
    .split(/[\s,]+/);
  const comparators: Comparator[] = [];
  for (const word of words) {
    const [, operator = '=', version] = COMPARATOR.exec(word) ?? [];
    if (version === undefined) return undefined;
    const open = version.split('.').findIndex((part) => /[xX*]/.test(part));
    const parts = version.split('.').slice(0, open === -1 ? undefined : open);
    comparators.push({ operator, parts: parts.map(Number) });
  }
  return comparators;
}

function holds(version: Version, { operator, parts }: Comparator): boolean {
  const order = compare(version, parts);
  const inLine = compare(version.slice(0, parts.length), parts) === 0;
  switch (operator) {
    case '>=':
      return order >= 0;
    case '>':
      return order > 0 && !inLine;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0 || inLine;
    case '!=':
      return !inLine;
    case '^':
      return order >= 0 && sameUpTo(version, parts, caretLength(parts));
    case '~':
      return order >= 0 && sameUpTo(version, parts, Math.min(parts.length, 2));
    case '~=':
      return order >= 0 && sameUpTo(version, parts, Math.max(parts.length - 1, 1));
    default:
      return inLine;
  }
}

/** Returns how many parts of a version `^` keeps: up to the first that is not zero. */
function caretLength(parts: readonly number[]): number {
  const first = parts.findIndex((part) => part !== 0);
  return first === -1 ? parts.length : first + 1;
}

function sameUpTo(version: Version, parts: readonly number[], length: number): boolean {
  return compare(version.slice(0, length), parts.slice(0, length)) === 0;
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const position of [0, 1, 2]) {
    const difference = (one[position] ?? 0) - (other[position] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
