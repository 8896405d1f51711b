import type { ServerLimits } from '../place/mcp-server.ts';
import type { FirstClassType } from '@catalog/core/artifact/types';
import type { JsonObject } from '@catalog/core/json';
import type { HookEventTable } from '../hook-event-table.ts';
import type { ArgumentForm } from '../place/command-arguments.ts';
import type { McpServer } from '@catalog/core/artifact/mcp-server';

export type AdoptedType = Exclude<FirstClassType, 'context'>;

export interface ProductDocument {
  /** File name without the parts that the template adds. */
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

/** Undefined if the file has no lists for events. */
export type HookLists = (values: JsonObject) => JsonObject | undefined;

/** Conversions that do not follow from the destinations. */
export interface AdoptReaders {
  agent?: ReadDocument;
  command?: ReadDocument;
  /** Set if users write commands to a different place than catalog. */
  commands_at?: { path: string; arguments: ArgumentForm };
  rule?: ReadDocument;
  /** Converts a server to the common format: `command`, `args`, `env`, `url`, `headers`, `type`. */
  server?: (entry: JsonObject) => JsonObject;
  hook?: {
    /** Unchanged if absent. */
    seconds?: (timeout: number) => number;
    /**
     * `searched`: matchers are regular expressions. `whole`: matchers are regular expressions for
     * whole names. If absent, they are names or regular expressions, like `hook_matcher`.
     */
    matchers?: 'searched' | 'whole';
    lists?: HookLists;
    /** Events that are wider than the canonical one, with the loss as a phrase. */
    narrowed?: Readonly<Record<string, string>>;
  };
  /** Prose that the product always loads, in addition to the file for rules. */
  prose?: readonly string[];
  /** Read only through an import in one of `prose`, or without those files. */
  imported_prose?: { path: string; reads_alone: boolean };
  /** Paths in `@path` are relative to the importing file's directory. */
  imports?: true;
}

/** The product reads the file if one of `files` imports it, or none of them exists. */
interface ImportedProse {
  files: readonly string[];
  reads_alone: boolean;
}

/** Templates are those of the destinations. */
export type AdoptSource =
  /** `names` limits the skills of the directory. An empty folder is the root. */
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
      /** If true, the whole container is read, because the lists have the product's own format. */
      own_form: boolean;
      events: HookEventTable;
      seconds: (timeout: number) => number;
      matcher: (native: string) => string;
      narrowed: Readonly<Record<string, string>>;
      /** Commands need the native input if the product has its own contract. */
      wrapped: boolean;
      /** Members that the file needs once, such as `{version: 1}`. */
      beside: JsonObject;
      /** Set if a plugin instead of the project contains the files of its commands. */
      in_plugin?: string;
    }
  /** Programs cannot be adopted. */
  | { kind: 'programs'; path: string }
  | {
      kind: 'servers';
      path: string;
      container: readonly string[];
      entry: (server: McpServer) => JsonObject;
      limits?: ServerLimits;
      common: (entry: JsonObject) => JsonObject;
      /**
       * Directory of the plugin that can contain files of its servers, which an artifact cannot
       * bundle.
       */
      in_plugin?: string;
    }
  | { kind: 'server-manifest'; path: string };
