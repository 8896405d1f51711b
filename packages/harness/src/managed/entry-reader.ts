import type { Json } from '@catalog/core/json';

export interface EntryReader {
  member(container: readonly string[], key: string): Json | undefined;
  elements(container: readonly string[]): ListElement[];
  block(id: string): string | undefined;
}

export interface ListElement {
  value: Json;
  /** Artifact id in the mark of the element. */
  tag: string | undefined;
}

export type ReadEntries = (text: string, file: string) => EntryReader;
