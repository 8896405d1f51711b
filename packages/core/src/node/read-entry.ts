import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { bytesHash } from '../artifact/content-hash.ts';
import { MAX_FILE_BYTES, REFUSAL, type EntryContent } from '../layer/collect-snapshot.ts';
import { entryProblem, type LayerEntry } from '../layer/place-entries.ts';
import {
  fingerprintOf,
  getFingerprint,
  getLinkedFingerprint,
  isRacy,
  type Fingerprint,
} from './fingerprint.ts';
import type { Slab } from './slab.ts';

export interface EntryReading {
  fingerprint: Fingerprint | undefined;
  /** Hash of a file that changed so recently that its fingerprint is not reliable. */
  hash: string | undefined;
  /** Content; undefined if the entry is not part of the layer. */
  content: EntryContent | undefined;
}

/**
 * Returns the fingerprint of an entry without opening a file. For a link, it is that of the target, whose content gets
 * read.
 */
export function statEntry(root: string, { kind, path }: LayerEntry): Fingerprint | undefined {
  return kind === 'link'
    ? getLinkedFingerprint(`${root}/${path}`)
    : getFingerprint(`${root}/${path}`);
}

export function readEntry(
  root: string,
  entry: LayerEntry,
  slab: Slab,
  started_at: number,
): EntryReading {
  const problem = entryProblem(entry);
  let content: FileReading | undefined;
  if (problem !== undefined) content = refused(problem);
  else if (!isStrayLink(root, entry)) content = readFile(root, entry, slab);
  const fingerprint = content?.fingerprint ?? statEntry(root, entry);
  const hash =
    content?.kind === 'file' && isRacy(content.fingerprint, started_at)
      ? bytesHash(content.bytes)
      : undefined;
  return { fingerprint, hash, content };
}

export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const known: Record<string, string> = {
    EACCES: 'cannot be read: permission denied',
    EPERM: 'cannot be read: permission denied',
    ELOOP: REFUSAL.link_circle,
    ENOENT: 'disappeared while it was being read',
    ENAMETOOLONG: REFUSAL.path_too_long,
    EISDIR: 'is a folder',
    EFTYPE: REFUSAL.special,
    EFBIG: 'is too large',
  };
  return known[code] ?? `cannot be read (${code === '' ? 'unknown error' : code})`;
}

type FileReading =
  | { kind: 'file'; bytes: Uint8Array; executable: boolean; fingerprint: Fingerprint }
  | { kind: 'refused'; reason: string; fingerprint: Fingerprint | undefined };

function readFile(root: string, entry: LayerEntry, slab: Slab): FileReading {
  const path = `${root}/${entry.path}`;
  if (entry.kind === 'file') return readRegularFile(path, slab);
  if (entry.kind === 'link') return readLinkedFile(root, path, slab);
  return refused(REFUSAL.special);
}

function refused(reason: string): FileReading {
  return { kind: 'refused', reason, fingerprint: undefined };
}

/** `O_NONBLOCK` prevents waiting if a pipe replaces the file; `O_NOFOLLOW` prevents following a link. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readRegularFile(path: string, slab: Slab): FileReading {
  let descriptor: number;
  try {
    descriptor = openSync(path, OPEN_FLAGS);
  } catch (cause) {
    return refused(reasonOf(cause));
  }
  try {
    const stats = fstatSync(descriptor);
    const fingerprint = fingerprintOf(stats);
    const reason = fileProblem(stats);
    if (reason !== undefined) return { kind: 'refused', reason, fingerprint };
    const bytes = readAll(descriptor, slab.take(stats.size));
    return { kind: 'file', bytes, executable: (stats.mode & 0o100) !== 0, fingerprint };
  } catch (cause) {
    return refused(reasonOf(cause));
  } finally {
    closeSync(descriptor);
  }
}

function fileProblem(stats: Stats): string | undefined {
  if (!stats.isFile()) return REFUSAL.not_a_file;
  if (stats.nlink > 1) return 'is a hard link (one file with several names); copy it instead';
  return stats.size > MAX_FILE_BYTES ? REFUSAL.too_large : undefined;
}

function readAll(descriptor: number, bytes: Uint8Array): Uint8Array {
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return length === bytes.length ? bytes : bytes.subarray(0, length);
}

/** Reads a link if its target is a regular file of the same layer. */
function readLinkedFile(root: string, path: string, slab: Slab): FileReading {
  let target: string;
  let base: string;
  try {
    target = realpathSync(path);
    base = realpathSync(root);
  } catch (cause) {
    return refused(isBrokenLink(cause) ? REFUSAL.link_nowhere : reasonOf(cause));
  }
  if (!target.startsWith(`${base}/`)) return refused(REFUSAL.link_outside);
  // The git configuration in a clone may contain credentials.
  if (target.slice(base.length).split('/').includes('.git')) return refused(REFUSAL.link_to_git);
  const file = readRegularFile(target, slab);
  return file.kind === 'refused'
    ? { ...file, reason: `is a link to a target that ${file.reason}` }
    : file;
}

function isBrokenLink(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('code' in cause)) return false;
  return cause.code === 'ENOENT' || cause.code === 'ENOTDIR';
}

/** Returns true for a link outside packages that does not replace a directory with packages. */
function isStrayLink(root: string, { kind, package: owner, name, path }: LayerEntry): boolean {
  if (kind !== 'link' || owner !== undefined || name === 'DOMAIN.md') return false;
  const linked = getLinkedFingerprint(`${root}/${path}`);
  return linked === undefined || (linked.mode & constants.S_IFMT) !== constants.S_IFDIR;
}
