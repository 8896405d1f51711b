import type { PackageFile } from '@catalog/core/artifact/types';
import type { JsonObject } from '@catalog/core/json';
import type { AdoptedType } from './adopt-source.ts';

/** A file of a workspace as it was found. */
export interface FoundFile {
  /** Relative to the workspace. */
  path: string;
  bytes: Uint8Array;
  executable: boolean;
  /** When it was last changed, in milliseconds. */
  changed_at: number;
  /** The link that leads to it from this path: itself, or a folder above. */
  link?: string;
}

/** What catalog wrote into a workspace, as its lock says. */
export interface OwnedThings {
  files: ReadonlySet<string>;
  /** Entries of files that are also the person's. */
  entries: readonly OwnedThing[];
}

export interface OwnedThing {
  path: string;
  shape: 'array' | 'map' | 'block';
  container: readonly string[];
  key: string;
  hash: string;
}

/** A thing that is a part of a file, and where it stands there: `mcpServers.tickets`. */
export interface FileEntry {
  file: string;
  member: string;
}

/** Place and value of an entry in a settings file. */
export interface SettingsEntry {
  shape: 'array' | 'map';
  container: string[];
  /** Name of a member; undefined for an element. */
  key?: string;
  hash: string;
  /** Number of commands in the element, each of which becomes a hook. */
  commands: number;
}

/** A workspace file as part of a package: `path` is relative to the package. */
export interface SourceFile extends PackageFile {
  /** Path in the workspace. */
  source: string;
}

/** One thing of one product, in canonical terms. */
export interface Candidate {
  kind: 'candidate';
  type: AdoptedType;
  name: string;
  /** Folders below the place of its type, as a path that ends in `/`, or nothing. */
  folder: string;
  /** Those that read it there, in the order they were asked for. */
  harnesses: string[];
  path: string;
  /** Null where it is a file or a folder of its own. */
  entry: FileEntry | null;
  /** Undefined if it is not an entry, or its file keeps hooks in another form. */
  settings?: SettingsEntry;
  /** Keys of `ARTIFACT.md` beside `type` and `version`. */
  values: JsonObject;
  body: string;
  /** `SKILL.md`, and `ARTIFACT.md` where there is one beside it. */
  skill?: { text: string; manifest: Uint8Array | undefined };
  resources: PackageFile[];
  /** Every workspace file it was read from, except shared settings files and files with a secret. */
  sources: SourceFile[];
  /** What preserves a copy that is not used: its source files, or its manifest if it has none to copy. */
  preserved_as: 'files' | 'manifest';
  /** Workspace files in the folder of a skill that are not part of it. */
  left_out: string[];
  changes: string[];
  changed_at: number;
  /** A file such as AGENTS.md, which its product loads always. */
  is_prose?: true;
  /** It only imports the rule. */
  imports_all?: true;
}

/** One thing that is not taken. */
export interface LeftThing {
  kind: 'left';
  type: AdoptedType;
  name: string;
  harnesses: string[];
  path: string;
  reason: string;
}

export type Found = Candidate | LeftThing;
