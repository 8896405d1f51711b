import type { Json } from '@catalog/core/json';

/** Read access to the entries of a shared file. */
export interface EntryReader {
  /** The member of a map; undefined if there is none. */
  member(container: readonly string[], key: string): Json | undefined;
  elements(container: readonly string[]): ListElement[];
  /** The text between the markers of a block; undefined if there is none. */
  block(id: string): string | undefined;
}

export interface ListElement {
  value: Json;
  /** The artifact id the element carries as its own mark; undefined if it has none. */
  tag: string | undefined;
}

export type ReadEntries = (text: string, file: string) => EntryReader;
