import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { shorten } from '../text/shorten.ts';
import { compareVersions, parseVersion, type Version } from './version.ts';

export type Pin =
  | { kind: 'latest' }
  | { kind: 'exact'; text: string; version: Version }
  | { kind: 'minor'; major: number; minor: number }
  | { kind: 'major'; major: number }
  | { kind: 'hash'; content_hash: string };

/** Returns true if a pin always selects the same version, unlike `latest` or a range. */
export function isSpecific(pin: Pin): pin is Extract<Pin, { kind: 'exact' | 'hash' }> {
  return pin.kind === 'exact' || pin.kind === 'hash';
}

export interface PinCandidate {
  version: string;
  content_hash: string;
  deprecated: boolean;
  /** Number that increases with every ingest; equal without a history, as in a folder. */
  ingest_order: number;
  /** True if the source returned to an earlier version (SPEC-70); absent without a history. */
  rolled_back?: boolean;
}

const RANGE = /^(0|[1-9][0-9]{0,14})\.(?:(0|[1-9][0-9]{0,14})\.)?x$/;
const CONTENT_HASH = /^sha256:[0-9a-fA-F]{64}$/;

/**
 * Parses a pin: empty for the latest version, `1.2.3`, `1.2.x`, `1.x`, or `sha256:` and 64 hex digits. An exact pin may
 * be a prerelease, such as a derived version (SPEC-49).
 */
export function parsePin(text: string): Pin {
  if (text === '') return { kind: 'latest' };
  if (CONTENT_HASH.test(text)) return { kind: 'hash', content_hash: text.toLowerCase() };
  const range = RANGE.exec(text);
  if (range !== null) {
    const major = Number(range[1]);
    return range[2] === undefined
      ? { kind: 'major', major }
      : { kind: 'minor', major, minor: Number(range[2]) };
  }
  const version = parseVersion(text);
  if (version === undefined) throw invalidPin(text);
  return { kind: 'exact', text, version };
}

export function matchesPin(
  pin: Pin,
  candidate: Pick<PinCandidate, 'version' | 'content_hash'>,
): boolean {
  if (pin.kind === 'latest') return true;
  if (pin.kind === 'hash') return candidate.content_hash === pin.content_hash;
  const version = parseVersion(candidate.version);
  if (version === undefined) return false;
  if (pin.kind === 'exact') return compareVersions(version, pin.version) === 0;
  // Ranges exclude prereleases, as usual in semantic versioning.
  if (version.prerelease.length > 0 || version.major !== pin.major) return false;
  return pin.kind === 'major' || version.minor === pin.minor;
}

/**
 * Returns the version that a pin selects in a layer; undefined if none matches. A range selects the highest version,
 * `latest` the last ingested one (specification, Versioning rule 5). A deprecated version is selected only if nothing
 * else matches (SPEC-21), and a rolled-back one only by an exact pin (SPEC-70).
 */
export function resolvePin<Candidate extends PinCandidate>(
  pin: Pin,
  candidates: readonly Candidate[],
): Candidate | undefined {
  let best: Candidate | undefined;
  for (const candidate of candidates) {
    if (!matchesPin(pin, candidate)) continue;
    if (candidate.rolled_back === true && !isSpecific(pin)) continue;
    if (best === undefined || compareFor(pin, candidate, best) > 0) best = candidate;
  }
  return best;
}

function compareFor(pin: Pin, a: PinCandidate, b: PinCandidate): number {
  const live = Number(b.deprecated) - Number(a.deprecated);
  const byIngest = a.ingest_order - b.ingest_order;
  if (pin.kind === 'exact') {
    // Of the builds of a version, the one in the pin is preferred.
    const named = Number(a.version === pin.text) - Number(b.version === pin.text);
    return named || live || byIngest;
  }
  const byVersion = compareTexts(a.version, b.version);
  const isRange = pin.kind === 'major' || pin.kind === 'minor';
  return live || (isRange ? byVersion || byIngest : byIngest || byVersion);
}

/** Compares versions; strings that are not versions come first. */
function compareTexts(a: string, b: string): number {
  const left = parseVersion(a);
  const right = parseVersion(b);
  if (left === undefined || right === undefined)
    return Number(left !== undefined) - Number(right !== undefined);
  return compareVersions(left, right);
}

function invalidPin(text: string): CatalogError {
  return new CatalogError(
    'registry.invalid_argument',
    `\`${shorten(text)}\` is not a version pin.`,
    {
      details: { argument: 'version' },
      suggested_action:
        'Write 1.2.3, 1.2.x, 1.x, or `sha256:` followed by 64 hex digits, or leave the pin out for the latest version.',
    },
  );
}
