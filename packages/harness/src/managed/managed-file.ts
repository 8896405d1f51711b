import type { ManagedEntry } from '../adapter.ts';

/** What catalog owns in one file that is also the person's, kept in the lock between two runs. */
export interface OwnedFile {
  /** The file was not there; it goes when nothing of the person's is in it. */
  created_file: boolean;
  /**
   * What was made for the entries and goes with the last of them: objects, arrays and tables by their
   * path. Each format says what else it notes here.
   */
  created: string[][];
  /** What was there, empty, closed on one line, and is closed again. */
  opened: string[][];
  entries: OwnedEntry[];
}

/** One entry of ours, as the lock remembers it. */
export interface OwnedEntry {
  shape: 'array' | 'map' | 'block';
  container: string[];
  /** The member name; for an array element and a block the artifact id. */
  key: string;
  artifact_id: string;
  /** Of the value, whatever its layout. */
  hash: string;
}

/** What an edit comes to. */
export interface ManagedEdit {
  /** Undefined: there shall be no file. */
  text: string | undefined;
  /** Undefined: nothing in the file is ours. */
  owned: OwnedFile | undefined;
  changed: boolean;
  /** An entry of ours that a person has edited since is replaced or removed. */
  edited?: true;
}

/**
 * Brings our entries in a person's file to `desired`: adds, replaces and removes them, and leaves
 * every other byte as it is. Removing all of them gives back the file as it would be had catalog
 * never written to it (T44). `text` undefined: there is no file. `owned` is what the lock says
 * is ours. `kept` are entries of ours that this run has no say in; they stay as they are.
 */
export type EditManaged = (
  text: string | undefined,
  desired: readonly ManagedEntry[],
  owned: OwnedFile | undefined,
  file: string,
  kept?: readonly OwnedEntry[],
) => ManagedEdit;
