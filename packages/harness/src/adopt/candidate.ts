import type { PackageFile } from '@catalog/core/artifact/types';
import type { JsonObject } from '@catalog/core/json';
import type { AdoptedType } from './adopt-source.ts';

export interface FoundFile {
  path: string;
  bytes: Uint8Array;
  executable: boolean;
  /** In milliseconds. */
  changed_at: number;
  /** Path of a symbolic link: the file itself or a parent directory. */
  link?: string;
}

/** From the lock. */
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
  /** Absent for an element of a list. */
  key?: string;
  hash: string;
  /** Each command in the element becomes a hook. */
  commands: number;
}

/** `path` is relative to the package. */
export interface SourceFile extends PackageFile {
  source: string;
}

export interface Candidate {
  kind: 'candidate';
  type: AdoptedType;
  name: string;
  /** Path below the folder of its artifact type, with a final `/`; may be empty. */
  folder: string;
  /** In the requested order. */
  harnesses: string[];
  path: string;
  entry: FileEntry | null;
  /** Undefined if it is not an entry, or its file stores hooks in another format. */
  settings?: SettingsEntry;
  /** Keys of `ARTIFACT.md` except `type` and `version`. */
  values: JsonObject;
  body: string;
  /** `SKILL.md`, and the `ARTIFACT.md` next to it if present. */
  skill?: { text: string; manifest: Uint8Array | undefined };
  resources: PackageFile[];
  /** Excludes shared settings files and files with a secret. */
  sources: SourceFile[];
  /** An unused copy is preserved as its manifest if no source file can be copied. */
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
