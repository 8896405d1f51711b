import type { ManagedEntry } from '../adapter.ts';

/** Stored in the lock. */
export interface OwnedFile {
  /** A file that catalog created is deleted when no content of the user remains. */
  created_file: boolean;
  /**
   * Paths of containers that were created for entries and are removed with the last of them. Each
   * format documents its additional use.
   */
  created: string[][];
  /** Paths of existing empty containers that were expanded and are collapsed again. */
  opened: string[][];
  entries: OwnedEntry[];
}

export interface OwnedEntry {
  shape: 'array' | 'map' | 'block';
  container: string[];
  /** Member name; for an array element or a block, the artifact id. */
  key: string;
  artifact_id: string;
  /** Independent of the formatting. */
  hash: string;
}

export interface ManagedEdit {
  /** Undefined if the file must not exist. */
  text: string | undefined;
  owned: OwnedFile | undefined;
  changed: boolean;
  /** True if the edit replaces or removes an owned entry that the user edited. */
  edited?: true;
}

/**
 * Changes only owned entries and keeps every other byte. Removing all of them restores the file as if
 * catalog had never written to it (T44). `text` is undefined if the file does not exist. `owned` comes
 * from the lock. `kept` are owned entries that this run does not manage; they stay unchanged.
 */
export type EditManaged = (
  text: string | undefined,
  desired: readonly ManagedEntry[],
  owned: OwnedFile | undefined,
  file: string,
  kept?: readonly OwnedEntry[],
) => ManagedEdit;
