/** Parsed version. Versions that differ only in build metadata are equal (SPEC-51). */
export interface Version {
  major: number;
  minor: number;
  patch: number;
  /** Labels of a prerelease; empty for a release. */
  prerelease: readonly string[];
}

/** Maximum length of a version, which limits the cost of parsing. */
const MAX_VERSION_LENGTH = 128;

const NUMBER = '(0|[1-9][0-9]{0,14})';
const LABELS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${LABELS}))?(?:\\+${LABELS})?$`);
const PADDED_NUMBER = /^0[0-9]+$/;
const DIGITS = /^[0-9]+$/;

/** Parses `major.minor.patch[-prerelease][+build]`; undefined for anything else. */
export function parseVersion(text: string): Version | undefined {
  if (text.length > MAX_VERSION_LENGTH) return undefined;
  const match = VERSION.exec(text);
  if (match === null) return undefined;
  const prerelease = match[4]?.split('.') ?? [];
  if (prerelease.some((label) => PADDED_NUMBER.test(label))) return undefined;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]), prerelease };
}

/** Compares versions: negative if `a` is lower, 0 if they are equal. */
export function compareVersions(a: Version, b: Version): number {
  return (
    a.major - b.major ||
    a.minor - b.minor ||
    a.patch - b.patch ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

/** Compares prereleases: a release comes last; otherwise the first different label decides. */
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

/** Compares labels: numbers by value and before words, words in ASCII order. */
function compareLabels(a: string, b: string): number {
  const aIsNumber = DIGITS.test(a);
  const bIsNumber = DIGITS.test(b);
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  // Without leading zeros, the longer number is larger.
  if (aIsNumber && a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
