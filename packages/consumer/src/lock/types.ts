export interface LockedTarget {
  id: string;
  registry: string;
  harness: string;
  profile?: string;
}

export interface LockedArtifact {
  target: string;
  id: string;
  version: string;
  layer: string;
  content_hash: string;
}

/** Row of a file in the lock; a file of two targets has two. */
export interface LockedFile {
  path: string;
  hash: string;
  executable?: true;
  target: string;
  id: string;
}

export interface LockedEntry {
  path: string;
  shape: 'array' | 'map' | 'block';
  container: string[];
  key: string;
  hash: string;
  target: string;
  id: string;
}

/**
 * File or entry that an artifact needs and that the user already had with the same content. It stays the user's: no
 * sync changes it (SPEC-72).
 */
export interface LockedPreExisting {
  path: string;
  /** Position of the entry; absent for the whole file. */
  at?: string[];
  target: string;
  id: string;
}

/** Structure that catalog created in a shared file, and removes with the last of its entries. */
export interface LockedShared {
  path: string;
  created_file?: true;
  created: string[][];
  opened: string[][];
}

export interface Toggles {
  add: string[];
  remove: string[];
}

/** Content of `sync.lock` (SPEC-45). `files` and `entries` contain only what catalog created. */
export interface LockFile {
  targets: LockedTarget[];
  artifacts: LockedArtifact[];
  files: LockedFile[];
  entries: LockedEntry[];
  shared: LockedShared[];
  pre_existing: LockedPreExisting[];
  /** Topmost folders that catalog created, removed when they are empty. */
  directories: string[];
  toggles: Toggles;
}

export function emptyLock(): LockFile {
  return {
    targets: [],
    artifacts: [],
    files: [],
    entries: [],
    shared: [],
    pre_existing: [],
    directories: [],
    toggles: { add: [], remove: [] },
  };
}
