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
import type { AuthoredPackage, PackageFile } from '../artifact/types.ts';
import { pathProblem } from '../artifact/safe-path.ts';
import type { AuthoredDomain, LayerSnapshot, RefusedEntry } from '../layer/types.ts';
import { parentPath } from '../text/slash-path.ts';
import { now } from './clock.ts';
import {
  fingerprintOf,
  getFingerprint,
  getLinkedFingerprint,
  isRacy,
  type Fingerprint,
} from './fingerprint.ts';
import { walkLayer, type LayerEntry } from './walk-layer.ts';

/** No artifact may hold a file above this; it is refused unread, so that a layer cannot exhaust memory. */
export const LARGEST_FILE_BYTES = 64 * 1024 * 1024;

/** One entry with what a look at it showed; a later look that shows the same found no change. */
export interface SeenEntry {
  path: string;
  fingerprint: Fingerprint | undefined;
  /** Of a file that changed too shortly before the look for its fingerprint alone to be trusted. */
  hash?: string;
}

/** A layer as it was read, with every entry that took part, in walking order. */
export interface LayerReading {
  snapshot: LayerSnapshot;
  seen: SeenEntry[];
}

interface PackageDraft {
  manifest: Uint8Array | undefined;
  skill: Uint8Array | undefined;
  resources: PackageFile[];
}

/** Reads everything one layer folder holds. What cannot be taken is refused by name, never followed. */
export function readLayer(root: string, layer: string): LayerReading {
  const drafts = new Map<string, PackageDraft>();
  const domains: AuthoredDomain[] = [];
  const refused: RefusedEntry[] = [];
  const seen: SeenEntry[] = [];
  const taken_at = now();
  const slab = openSlab();

  function refuse(entry: { path: string; package: string | undefined }, reason: string): void {
    refused.push({
      path: entry.path,
      code: 'ingest.source_unreachable',
      reason,
      ...(entry.package === undefined ? {} : { artifact_id: entry.package }),
    });
  }

  function take(entry: LayerEntry): void {
    const problem = pathProblem(entry.path) ?? collisionOf(entry);
    if (problem !== undefined) {
      // A folder that cannot be told from another may be an artifact; that one is what is missing.
      const missing = entry.kind === 'folder' ? (entry.package ?? entry.path) : entry.package;
      refuse({ path: entry.path, package: missing }, problem);
      seen.push({ path: entry.path, fingerprint: lookAt(root, entry) });
      return;
    }
    if (isStrayLink(root, entry)) {
      seen.push({ path: entry.path, fingerprint: lookAt(root, entry) });
      return;
    }
    const file = readEntry(root, entry, slab);
    const fingerprint = file.fingerprint ?? lookAt(root, entry);
    if (file.kind === 'file' && isRacy(file.fingerprint, taken_at)) {
      seen.push({ path: entry.path, fingerprint, hash: bytesHash(file.bytes) });
    } else {
      seen.push({ path: entry.path, fingerprint });
    }
    if (file.kind === 'refused') {
      refuse(entry, file.reason);
    } else if (entry.package === undefined) {
      domains.push({ path: parentPath(entry.path), bytes: file.bytes });
    } else {
      place(drafts, entry, entry.package, file);
    }
  }

  walkLayer(root, take, ({ path, package: owner, cause }) => {
    refuse({ path: path === '' ? '.' : path, package: owner }, reasonOf(cause));
  });
  return { snapshot: { layer, packages: toPackages(drafts, layer), domains, refused }, seen };
}

/** Looks at everything `readLayer` would read, in the same order, and opens nothing. */
export function lookAtLayer(root: string): SeenEntry[] {
  const seen: SeenEntry[] = [];
  walkLayer(
    root,
    (entry) => {
      seen.push({ path: entry.path, fingerprint: lookAt(root, entry) });
    },
    () => {},
  );
  return seen;
}

/** A link counts as what it leads to: that is what is read. */
function lookAt(root: string, entry: LayerEntry): Fingerprint | undefined {
  const path = `${root}/${entry.path}`;
  return entry.kind === 'link' ? getLinkedFingerprint(path) : getFingerprint(path);
}

/** Puts one file into its package. A package at the layer root has no id and is refused by the reader. */
function place(
  drafts: Map<string, PackageDraft>,
  entry: LayerEntry,
  owner: string,
  file: { bytes: Uint8Array; executable: boolean },
): void {
  let draft = drafts.get(owner);
  if (draft === undefined) {
    draft = { manifest: undefined, skill: undefined, resources: [] };
    drafts.set(owner, draft);
  }
  const path = owner === '' ? entry.path : entry.path.slice(owner.length + 1);
  if (path === 'ARTIFACT.md') draft.manifest = file.bytes;
  else if (path === 'SKILL.md') draft.skill = file.bytes;
  else draft.resources.push({ path, bytes: file.bytes, executable: file.executable });
}

function toPackages(drafts: Map<string, PackageDraft>, layer: string): AuthoredPackage[] {
  return [...drafts].map(([id, draft]) => ({ id, layer, ...draft }));
}

type EntryReading =
  | { kind: 'file'; bytes: Uint8Array; executable: boolean; fingerprint: Fingerprint }
  | { kind: 'refused'; reason: string; fingerprint: Fingerprint | undefined };

function readEntry(root: string, entry: LayerEntry, slab: Slab): EntryReading {
  const path = `${root}/${entry.path}`;
  if (entry.kind === 'file') return readRegularFile(path, slab);
  if (entry.kind === 'link') return readLinkedFile(root, path, slab);
  return {
    kind: 'refused',
    reason: 'is neither a file nor a folder (a pipe, socket or device)',
    fingerprint: undefined,
  };
}

/** `O_NONBLOCK` keeps a pipe that took the file's place from blocking; `O_NOFOLLOW` a link from being followed. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readRegularFile(path: string, slab: Slab): EntryReading {
  let descriptor: number;
  try {
    descriptor = openSync(path, OPEN_FLAGS);
  } catch (cause) {
    return { kind: 'refused', reason: reasonOf(cause), fingerprint: undefined };
  }
  try {
    const stats = fstatSync(descriptor);
    const fingerprint = fingerprintOf(stats);
    const reason = fileProblem(stats);
    if (reason !== undefined) return { kind: 'refused', reason, fingerprint };
    const bytes = readAll(descriptor, slab.take(stats.size));
    return { kind: 'file', bytes, executable: (stats.mode & 0o100) !== 0, fingerprint };
  } catch (cause) {
    return { kind: 'refused', reason: reasonOf(cause), fingerprint: undefined };
  } finally {
    closeSync(descriptor);
  }
}

function fileProblem(stats: Stats): string | undefined {
  if (!stats.isFile()) return 'is not a regular file';
  if (stats.nlink > 1) return 'is a hard link: one file under several names; copy it instead';
  if (stats.size > LARGEST_FILE_BYTES) {
    return `is larger than ${LARGEST_FILE_BYTES / 1024 / 1024} MiB; name it under external_resources instead`;
  }
  return undefined;
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

/** Hands out memory from large pieces: tens of thousands of small files would each cost an allocation. */
interface Slab {
  take(size: number): Uint8Array;
}

const SLAB_BYTES = 1024 * 1024;

function openSlab(): Slab {
  let piece = Buffer.allocUnsafeSlow(0);
  let used = 0;
  return {
    take: (size) => {
      if (size > SLAB_BYTES / 4) return Buffer.allocUnsafeSlow(size);
      if (used + size > piece.length) {
        piece = Buffer.allocUnsafeSlow(SLAB_BYTES);
        used = 0;
      }
      used += size;
      return piece.subarray(used - size, used);
    },
  };
}

/** A link is read only when it leads to a regular file inside the same layer. */
function readLinkedFile(root: string, path: string, slab: Slab): EntryReading {
  let target: string;
  let base: string;
  try {
    target = realpathSync(path);
    base = realpathSync(root);
  } catch (cause) {
    return {
      kind: 'refused',
      reason: `is a link that leads nowhere: ${reasonOf(cause)}`,
      fingerprint: undefined,
    };
  }
  if (!target.startsWith(`${base}/`)) {
    return { kind: 'refused', reason: 'is a link that leaves the layer', fingerprint: undefined };
  }
  const file = readRegularFile(target, slab);
  return file.kind === 'refused'
    ? { ...file, reason: `is a link to something that ${file.reason}` }
    : file;
}

function collisionOf({ collides_with }: LayerEntry): string | undefined {
  return collides_with === undefined
    ? undefined
    : `differs from ${collides_with} beside it only in case or accents; some file systems cannot hold both`;
}

/** Outside packages a link matters only where it stands in the place of a folder that could hold some. */
function isStrayLink(root: string, { kind, package: owner, name, path }: LayerEntry): boolean {
  if (kind !== 'link' || owner !== undefined || name === 'DOMAIN.md') return false;
  const linked = getLinkedFingerprint(`${root}/${path}`);
  return linked === undefined || (linked.mode & constants.S_IFMT) !== constants.S_IFDIR;
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const known: Record<string, string> = {
    EACCES: 'cannot be read: permission denied',
    EPERM: 'cannot be read: permission denied',
    ELOOP: 'is a link that goes in a circle',
    ENOENT: 'disappeared while it was being read',
    ENAMETOOLONG: 'has a path too long for this system',
    EISDIR: 'is a folder',
  };
  return known[code] ?? `cannot be read (${code === '' ? 'unknown error' : code})`;
}
