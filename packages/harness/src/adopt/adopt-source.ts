import type { ServerLimits } from '../place/mcp-server.ts';
import type { FirstClassType } from '@catalog/core/artifact/types';
import type { JsonObject } from '@catalog/core/json';
import type { HookEventTable } from '../hook-event-table.ts';
import type { ArgumentForm } from '../place/command-arguments.ts';
import type { McpServer } from '@catalog/core/artifact/mcp-server';

export type AdoptedType = Exclude<FirstClassType, 'context'>;

export interface ProductDocument {
  /** Name of the file, without the parts that the template adds. */
  name: string;
  values: JsonObject;
  body: string;
}

/** Canonical form of a document: keys of `ARTIFACT.md`, body and changes. */
export interface Reading {
  values: JsonObject;
  body: string;
  changes: string[];
}

export interface SkippedContent {
  left: string;
}

export type ReadDocument = (document: ProductDocument) => Reading | SkippedContent;

/** Returns the lists of hooks by event; undefined if the file has none. */
export type HookLists = (values: JsonObject) => JsonObject | undefined;

/** Conversions that do not follow from the destinations. */
export interface AdoptReaders {
  agent?: ReadDocument;
  command?: ReadDocument;
  /** Place of commands, if users write them elsewhere than catalog. */
  commands_at?: { path: string; arguments: ArgumentForm };
  rule?: ReadDocument;
  /** Converts a server to the common format: `command`, `args`, `env`, `url`, `headers`, `type`. */
  server?: (entry: JsonObject) => JsonObject;
  hook?: {
    /** Converts a timeout to seconds; unchanged if absent. */
    seconds?: (timeout: number) => number;
    /**
     * Meaning of matchers. `searched`: regular expressions. `whole`: regular expressions for whole names. If absent,
     * names or regular expressions, like `hook_matcher`.
     */
    matchers?: 'searched' | 'whole';
    lists?: HookLists;
    /** Events that are wider than the canonical one, with what is lost as a phrase. */
    narrowed?: Readonly<Record<string, string>>;
  };
  /** Files with prose that the product always loads, besides the rules file. */
  prose?: readonly string[];
  /** File that is read only if one of `prose` imports it, or if none of them exists. */
  imported_prose?: { path: string; reads_alone: boolean };
  /** True if paths in `@path` are relative to the folder of the file. */
  imports?: true;
}

/** File that the product reads if one of `files` imports it, or if none of them exists. */
interface ImportedProse {
  files: readonly string[];
  reads_alone: boolean;
}

/** Place to adopt from. Templates are those of the destinations. */
export type AdoptSource =
  /** `names` limits the skills of the folder. An empty folder is the root. */
  | { kind: 'skills'; folder: string; names?: readonly string[] }
  | {
      kind: 'documents';
      type: 'agent' | 'command' | 'rule';
      path: string;
      read: ReadDocument;
      arguments?: ArgumentForm;
      imports?: boolean;
      files?: readonly string[];
    }
  | { kind: 'prose'; path: string; imports: boolean; imported?: ImportedProse }
  | {
      kind: 'hooks';
      path: string;
      container: readonly string[];
      lists: HookLists;
      /** True if the lists have their own format, so that the whole container is read. */
      own_form: boolean;
      events: HookEventTable;
      seconds: (timeout: number) => number;
      matcher: (native: string) => string;
      narrowed: Readonly<Record<string, string>>;
      /** True if commands need the input of the product, which has its own contract. */
      wrapped: boolean;
      /** Members that the file needs once, such as `{version: 1}`. */
      beside: JsonObject;
      /** Folder of the plugin, if it contains the files of its commands. */
      in_plugin?: string;
    }
  /** Programs, which cannot be adopted. */
  | { kind: 'programs'; path: string }
  | {
      kind: 'servers';
      path: string;
      container: readonly string[];
      entry: (server: McpServer) => JsonObject;
      limits?: ServerLimits;
      common: (entry: JsonObject) => JsonObject;
      /** Folder of the plugin, if it can contain files of its servers. */
      in_plugin?: string;
    }
  | { kind: 'server-manifest'; path: string };
