import type { ServerLimits } from '../place/mcp-server.ts';
import type { FirstClassType } from '@catalog/core/artifact/types';
import type { JsonObject } from '@catalog/core/json';
import type { HookEventTable } from '../hook-event-table.ts';
import type { ArgumentForm } from '../place/command-arguments.ts';
import type { McpServer } from '@catalog/core/artifact/mcp-server';

/** The types a workspace holds in the forms of products. */
export type AdoptedType = Exclude<FirstClassType, 'context'>;

/** A document of a product: its frontmatter, or the members of a TOML file, and its prose. */
export interface ProductDocument {
  /** The file name without what the place adds to it. */
  name: string;
  values: JsonObject;
  body: string;
}

/** A document in canonical terms: keys of `ARTIFACT.md`, prose, and what that changed in it. */
export interface Reading {
  values: JsonObject;
  body: string;
  /** What was written otherwise in the product, as phrases. */
  changes: string[];
}

/** Something that is not taken, with the reason as a phrase. */
export interface Left {
  left: string;
}

export type ReadDocument = (document: ProductDocument) => Reading | Left;

/** Reads the lists of the events from the members of a file; undefined if there are none. */
export type HookLists = (values: JsonObject) => JsonObject | undefined;

/** The way back from a product's forms, where it does not follow from the landings. */
export interface AdoptReaders {
  agent?: ReadDocument;
  command?: ReadDocument;
  /** Where users keep commands, if catalog writes them elsewhere. */
  commands_at?: { path: string; arguments: ArgumentForm };
  rule?: ReadDocument;
  /** One server in the common form: `command`, `args`, `env`, `url`, `headers`, `type`. */
  server?: (entry: JsonObject) => JsonObject;
  hook?: {
    /** Converts a timeout to seconds; unchanged if absent. */
    seconds?: (timeout: number) => number;
    /**
     * Its matchers are regular expressions that it searches for, or compares with whole names. If
     * absent, they are names or regular expressions, as `hook_matcher` is.
     */
    matchers?: 'searched' | 'whole';
    /** The hooks of a file as lists by event, if the product keeps them differently. */
    lists?: HookLists;
    /** Events that are wider than the canonical one: what is lost, as a phrase. */
    narrowed?: Readonly<Record<string, string>>;
  };
  /** Files of prose the product loads always, beside the one rules are written to. */
  prose?: readonly string[];
  /** A file that the product reads only through an import in one of `prose`, or without those. */
  imported_prose?: { path: string; reads_alone: boolean };
  /** Its rules and files of prose import others by `@path`, counted from their own folder. */
  imports?: true;
}

/** When a product reads a file of prose: if one of `files` imports it, or without any of them. */
interface ImportedProse {
  files: readonly string[];
  reads_alone: boolean;
}

/** Where a harness keeps things, and how they are read back. Templates are those of the landings. */
export type AdoptSource =
  /** `names`: the only skills of the folder that count. An empty folder is the root. */
  | { kind: 'skills'; folder: string; names?: readonly string[] }
  | {
      kind: 'documents';
      type: 'agent' | 'command' | 'rule';
      path: string;
      read: ReadDocument;
      arguments?: ArgumentForm;
      imports?: boolean;
      /** The only files of the folder that count. */
      files?: readonly string[];
    }
  | { kind: 'prose'; path: string; imports: boolean; imported?: ImportedProse }
  | {
      kind: 'hooks';
      path: string;
      container: readonly string[];
      lists: HookLists;
      /** The lists are not simply the container, so that everything in it is taken. */
      own_form: boolean;
      events: HookEventTable;
      seconds: (timeout: number) => number;
      /** Converts a native matcher for tools to a `hook_matcher`. */
      matcher: (native: string) => string;
      narrowed: Readonly<Record<string, string>>;
      /** The product has a contract of its own, so that its commands need their own input. */
      wrapped: boolean;
      /** Members its file needs once, such as `{version: 1}`. */
      beside: JsonObject;
      /** The folder of the plugin whose files its commands run, instead of those of the project. */
      in_plugin?: string;
    }
  /** Hooks that are programs: nothing reads them back. */
  | { kind: 'programs'; path: string }
  | {
      kind: 'servers';
      path: string;
      container: readonly string[];
      entry: (server: McpServer) => JsonObject;
      limits?: ServerLimits;
      common: (entry: JsonObject) => JsonObject;
      /** The folder of the plugin whose files its servers may be, which an artifact cannot bundle. */
      in_plugin?: string;
    }
  /** A `server.json` of the MCP registry. */
  | { kind: 'server-manifest'; path: string };
