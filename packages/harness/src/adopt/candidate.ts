import type { PackageFile } from '@catalog/core/artifact/types';
import type { JsonObject } from '@catalog/core/json';
import type { AdoptedType } from './adopt-source.ts';

export interface FoundFile {
  path: string;
  bytes: Uint8Array;
  executable: boolean;
  /** Modification time in milliseconds. */
  changed_at: number;
  /** Link on the path: the file itself or a parent folder. */
  link?: string;
}

/** Files of catalog, from the lock. */
export interface OwnedFiles {
  files: ReadonlySet<string>;
  entries: readonly OwnedEntryRef[];
}

export interface OwnedEntryRef {
  path: string;
  shape: 'array' | 'map' | 'block';
  container: readonly string[];
  key: string;
  hash: string;
}

export interface FileEntry {
  file: string;
  member: string;
}

export interface SettingsEntry {
  shape: 'array' | 'map';
  container: string[];
  /** Key of the entry; absent for an element of a list. */
  key?: string;
  hash: string;
  /** Number of commands of the element, each of which becomes a hook. */
  commands: number;
}

/** Source file; `path` is relative to the package. */
export interface SourceFile extends PackageFile {
  source: string;
}

export interface Candidate {
  kind: 'candidate';
  type: AdoptedType;
  name: string;
  /** Folder below that of its artifact type, with a final `/`; may be empty. */
  folder: string;
  /** Harnesses in the requested order. */
  harnesses: string[];
  path: string;
  entry: FileEntry | null;
  /** Entry of a settings file; undefined for other files. */
  settings?: SettingsEntry;
  /** Keys of `ARTIFACT.md` except `type` and `version`. */
  values: JsonObject;
  body: string;
  /** Content of `SKILL.md`, and of the `ARTIFACT.md` next to it. */
  skill?: { text: string; manifest: Uint8Array | undefined };
  resources: PackageFile[];
  /** Files to copy, without shared settings and files with a secret. */
  sources: SourceFile[];
  /** Form in which an unused copy is kept: its files, or its manifest if none can be copied. */
  preserved_as: 'files' | 'manifest';
  left_out: string[];
  changes: string[];
  changed_at: number;
  /** True for a file that the product always loads, such as AGENTS.md. */
  is_prose?: true;
  imports_all?: true;
}

export interface SkippedArtifact {
  kind: 'left';
  type: AdoptedType;
  name: string;
  harnesses: string[];
  path: string;
  reason: string;
}

export type Found = Candidate | SkippedArtifact;
