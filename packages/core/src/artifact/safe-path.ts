import { versionControlName } from './reserved-names.ts';

/** Maximum length of a path, which every common file system and archive format supports. */
export const MAX_PATH_BYTES = 1024;
export const MAX_SEGMENT_BYTES = 255;

const SLASH = 0x2f;
const DOT = 0x2e;
const SPACE = 0x20;

/**
 * Returns why a path cannot be written on every machine, as a phrase that follows the path; undefined if it can. All
 * paths from layers, locks and registries are checked. A valid path is relative, uses `/`, stays below its root, and
 * contains no reserved Windows names, invisible characters (T42) or version control metadata.
 */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (isShort(path) && !NEEDS_CHECKS.test(path)) return undefined;
  if (path.charCodeAt(0) === SLASH) return 'is absolute';
  const hasTilde = path.includes('~');
  let bytes = 0;
  let start = 0;
  let segmentBytes = 0;
  for (let index = 0; index <= path.length; index += 1) {
    const unit = index === path.length ? SLASH : path.charCodeAt(index);
    if (unit === SLASH) {
      const problem =
        segmentProblem(path, start, index, segmentBytes) ??
        // Most names start with a letter and contain only ASCII, so they need no further check.
        (hasTilde || path.charCodeAt(start) === DOT || segmentBytes !== index - start
          ? metadataProblem(path.slice(start, index))
          : undefined);
      if (problem !== undefined) return problem;
      bytes += segmentBytes + 1;
      start = index + 1;
      segmentBytes = 0;
    } else if (unit < 0x80) {
      if (FORBIDDEN_ASCII[unit] === 1) return asciiProblem(unit);
      segmentBytes += 1;
    } else {
      const problem = wideProblem(path, index, unit);
      if (problem !== undefined) return problem;
      segmentBytes += unit < 0x800 || isSurrogate(unit) ? 2 : 3;
    }
  }
  return bytes - 1 > MAX_PATH_BYTES ? `is longer than ${MAX_PATH_BYTES} bytes` : undefined;
}

/** Returns true if an ASCII path and its segments are within their length limits. */
function isShort(path: string): boolean {
  if (path.length <= MAX_SEGMENT_BYTES) return true;
  return path.length <= MAX_PATH_BYTES && !LONG_SEGMENT.test(path);
}

const LONG_SEGMENT = new RegExp(`[^/]{${MAX_SEGMENT_BYTES + 1}}`);

/**
 * Matches paths that may have a problem other than their length. One native call accepts nearly all paths, of which a
 * lock can have 100,000.
 */
const NEEDS_CHECKS =
  /[^\w./-]|^\/|\/(?:\/|$)|\.(?:\/|$)|(?:^|\/)(?:con|prn|aux|nul|com|lpt|\.(?:git|hg|svn|jj))/i;

/**
 * Returns a key that is equal for paths which some file system treats as the same file. macOS and Windows ignore case;
 * macOS also ignores how accents are composed.
 */
export function foldPath(path: string): string {
  return NON_ASCII.test(path)
    ? path.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
    : path.toLowerCase();
}

const NON_ASCII = /[^\0-\x7f]/;

const WINDOWS_PUNCTUATION = '<>:"|?*';
const FORBIDDEN_ASCII = new Uint8Array(0x80);
FORBIDDEN_ASCII.fill(1, 0, 0x20);
for (const character of `${WINDOWS_PUNCTUATION}\\\x7f`) {
  FORBIDDEN_ASCII[character.charCodeAt(0)] = 1;
}

function asciiProblem(unit: number): string {
  if (unit === 0x5c) return 'contains a backslash';
  if (unit < 0x20 || unit === 0x7f) return `contains the control character ${codePoint(unit)}`;
  return `contains ${String.fromCharCode(unit)}, which Windows does not allow in a name`;
}

function wideProblem(path: string, index: number, unit: number): string | undefined {
  if (unit < 0xa0) return `contains the control character ${codePoint(unit)}`;
  if (isHidden(unit)) return `contains the invisible character ${codePoint(unit)}`;
  if (!isSurrogate(unit)) return undefined;
  const paired =
    unit < 0xdc00
      ? isLowSurrogate(path.charCodeAt(index + 1))
      : isHighSurrogate(path.charCodeAt(index - 1));
  if (!paired) return 'contains half of a surrogate pair';
  // The tag block, U+E0000 to U+E007F, contains invisible copies of ASCII characters.
  if (unit === 0xdb40 && path.charCodeAt(index + 1) < 0xdc80)
    return 'contains an invisible character';
  return undefined;
}

/**
 * Returns true for invisible characters: direction marks, joiners, separators and fillers. Some file systems remove
 * them, so that a different name becomes `.git`.
 */
function isHidden(unit: number): boolean {
  if (unit < 0x2000) return unit === 0xad || unit === 0x61c || unit === 0x180e;
  return (
    (unit >= 0x200b && unit <= 0x200f) ||
    (unit >= 0x2028 && unit <= 0x202e) ||
    (unit >= 0x2060 && unit <= 0x206f) ||
    unit === 0xfeff
  );
}

function segmentProblem(
  path: string,
  start: number,
  end: number,
  bytes: number,
): string | undefined {
  if (start === end) return 'contains an empty segment';
  if (bytes > MAX_SEGMENT_BYTES) {
    return `contains a name longer than ${MAX_SEGMENT_BYTES} bytes`;
  }
  const last = path.charCodeAt(end - 1);
  if (last === DOT) {
    const name = path.slice(start, end);
    return name === '.' || name === '..'
      ? `contains the segment ${name}`
      : `contains ${name}, which ends with a dot`;
  }
  if (last === SPACE) return `contains "${path.slice(start, end)}", which ends with a space`;
  if (mayBeReserved(path, start)) {
    const name = path.slice(start, end);
    if (RESERVED_NAME.test(name)) return `contains ${name}, a name that Windows reserves`;
  }
  return undefined;
}

/** Rejects version control directories, because a repository inside a workspace could run its hooks. */
function metadataProblem(name: string): string | undefined {
  return versionControlName(name) === undefined
    ? undefined
    : `contains ${name}, which belongs to version control`;
}

/** Windows device names are reserved with any extension: `nul.md` is `NUL`. */
const RESERVED_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\..*)?$/i;

/** Compares two letters first, so that the regular expression runs rarely. */
function mayBeReserved(path: string, start: number): boolean {
  const second = path.charCodeAt(start + 1) | 0x20;
  switch (path.charCodeAt(start) | 0x20) {
    case 0x63: // con, com
      return second === 0x6f;
    case 0x70: // prn
      return second === 0x72;
    case 0x61: // aux
    case 0x6e: // nul
      return second === 0x75;
    case 0x6c: // lpt
      return second === 0x70;
    default:
      return false;
  }
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

function codePoint(unit: number): string {
  return `U+${unit.toString(16).toUpperCase().padStart(4, '0')}`;
}
