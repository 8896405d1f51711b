import type { ManagedEntry } from '../adapter.ts';

/** Managed entries of a file, stored in the lock. */
export interface OwnedFile {
  /** True if catalog created the file, which is then deleted when no content of the user remains. */
  created_file: boolean;
  /**
   * Paths of containers that were created for entries, and are removed with the last one. Each format documents its
   * additional use.
   */
  created: string[][];
  /** Paths of empty containers that were expanded, and are collapsed again. */
  opened: string[][];
  entries: OwnedEntry[];
}

export interface OwnedEntry {
  shape: 'array' | 'map' | 'block';
  container: string[];
  /** Name of the member. For an array element or a block, the artifact id. */
  key: string;
  artifact_id: string;
  /** Hash of the value, whatever its formatting. */
  hash: string;
}

export interface ManagedEdit {
  /** New content; undefined if the file must not exist. */
  text: string | undefined;
  owned: OwnedFile | undefined;
  changed: boolean;
  /** True if the edit replaces or removes a managed entry that the user edited. */
  edited?: true;
}

/**
 * Edits a file. Only managed entries change; all other bytes stay. Removing all entries restores the file as if catalog
 * had never written to it (T44). `owned` comes from the lock; entries in `kept` are managed elsewhere and stay.
 */
export type EditManaged = (
  text: string | undefined,
  desired: readonly ManagedEntry[],
  owned: OwnedFile | undefined,
  file: string,
  kept?: readonly OwnedEntry[],
) => ManagedEdit;
