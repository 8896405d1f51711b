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

/** A file shared by two targets has two rows. */
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
 * A file, or an entry of one, that an artifact needs and the user already had with the same content. It
 * remains the user's (SPEC-72): no sync changes or deletes it.
 */
export interface LockedPreExisting {
  path: string;
  /** Absent for the whole file. */
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
  /** Topmost folders that catalog created; removed once they are empty. */
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
