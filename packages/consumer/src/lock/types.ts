/** What one target delivered, as the lock file remembers it. */
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

/** One written file and one of its owners; a file that two targets share has two rows. */
export interface LockedFile {
  path: string;
  hash: string;
  executable?: true;
  target: string;
  id: string;
}

/** One managed entry inside a file that also belongs to the person. */
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
 * A file, or an entry of a shared file, that an artifact needs and the user already had with the same
 * content. It stays the user's (SPEC-72): no sync changes or deletes it.
 */
export interface LockedPreExisting {
  path: string;
  /** Place of an entry inside the file; absent if it is the whole file. */
  at?: string[];
  target: string;
  id: string;
}

/** What catalog made in a shared file beside its entries, and takes away with the last of them. */
export interface LockedShared {
  path: string;
  created_file?: true;
  /** Objects and arrays that were not there. */
  created: string[][];
  /** Objects and arrays that were there, empty and closed on one line. */
  opened: string[][];
}

export interface Toggles {
  /** Ids delivered although the scope leaves them out. */
  add: string[];
  /** Ids left out although the scope delivers them. */
  remove: string[];
}

/**
 * `<target>/.catalog/sync.lock` (SPEC-45): everything catalog wrote into this folder. `files` and
 * `entries` hold only what catalog created.
 */
export interface LockFile {
  targets: LockedTarget[];
  artifacts: LockedArtifact[];
  files: LockedFile[];
  entries: LockedEntry[];
  shared: LockedShared[];
  pre_existing: LockedPreExisting[];
  /** The uppermost folders catalog made; removed again once they are empty. */
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
