/**
 * A semantic version, taken apart. Build metadata is left out on purpose: versions that differ only
 * there are one version (SPEC-51).
 */
export interface Version {
  major: number;
  minor: number;
  patch: number;
  /** Empty for a release. */
  prerelease: readonly string[];
}

/** Past any honest version; the bound keeps the expression's work and the numbers small. */
const LONGEST_VERSION = 128;

const NUMBER = '(0|[1-9][0-9]{0,14})';
const LABELS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${LABELS}))?(?:\\+${LABELS})?$`);
const PADDED_NUMBER = /^0[0-9]+$/;
const DIGITS = /^[0-9]+$/;

/** Reads `major.minor.patch[-prerelease][+build]`; undefined for anything else. */
export function parseVersion(text: string): Version | undefined {
  if (text.length > LONGEST_VERSION) return undefined;
  const match = VERSION.exec(text);
  if (match === null) return undefined;
  const prerelease = match[4]?.split('.') ?? [];
  if (prerelease.some((label) => PADDED_NUMBER.test(label))) return undefined;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]), prerelease };
}

/** Semantic precedence: negative when `a` comes before `b`, 0 when they are one version. */
export function compareVersions(a: Version, b: Version): number {
  return (
    a.major - b.major ||
    a.minor - b.minor ||
    a.patch - b.patch ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

/** A release comes after all its prereleases; of two prereleases the first different label decides. */
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, label] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareLabels(label, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers by value and before words, words by their ASCII. */
function compareLabels(a: string, b: string): number {
  const aIsNumber = DIGITS.test(a);
  const bIsNumber = DIGITS.test(b);
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  // Without leading zeros the longer number is the larger one, at any size.
  if (aIsNumber && a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
