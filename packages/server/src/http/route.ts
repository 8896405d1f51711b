import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import type { z } from 'zod';
import type { CallContext, Registry } from '../registry/registry.ts';

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** One request whose input the contract has accepted. */
export interface Call<Row extends Endpoint = Endpoint> {
  registry: Registry;
  context: CallContext;
  method: string;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** Behind trusted proxies, the address that they forward. */
  clientAddress(): string;
  params: Parsed<Row['params']>;
  query: Parsed<Row['query']>;
  /** The query as it arrived, encoded, for a route whose query somebody else writes. */
  search: string;
  body: Parsed<Row['body']>;
  /** The body's bytes, for a route whose contract names no body schema. */
  readBytes(limit: number): Promise<Uint8Array>;
  /** Whether the same credential would be let in now; for answers that go on. */
  isStillAdmitted(): Promise<boolean>;
}

/** By name, in the usual capitals (`Cache-Control`): one that every answer carries is replaced, not doubled. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** What a route answers. Errors are thrown, as `CatalogError`. */
export type Reply =
  | { kind: 'json'; status: number; value: unknown; headers?: ReplyHeaders }
  /** Bytes that are ready; `media_type` is JSON when left out. */
  | {
      kind: 'bytes';
      status: number;
      bytes: Uint8Array;
      /** The same bytes, compressed with Brotli; compressed on demand if absent. */
      brotli?: Uint8Array | undefined;
      media_type?: string;
      headers?: ReplyHeaders;
    }
  | {
      kind: 'stream';
      status: number;
      chunks: AsyncIterable<Uint8Array | string>;
      media_type: string;
      headers?: ReplyHeaders;
    }
  | { kind: 'empty'; status: number; headers?: ReplyHeaders }
  /** The route writes to the connection itself and keeps it. */
  | { kind: 'raw'; serve(incoming: IncomingMessage, outgoing: ServerResponse): void };

/** A row of the contract with the code that answers it. */
export interface Route {
  endpoint: Endpoint;
  handle(call: Call): Promise<Reply>;
}

/** Ties a handler to its row, so that what it receives has the row's types. */
export function defineRoute<Row extends Endpoint>(
  endpoint: Row,
  handle: (call: Call<Row>) => Promise<Reply>,
): Route {
  // The contract has parsed the input with this very row before the handler sees it.
  return { endpoint, handle };
}

export function json(value: unknown, status = 200, headers?: ReplyHeaders): Reply {
  return headers === undefined
    ? { kind: 'json', status, value }
    : { kind: 'json', status, value, headers };
}

/** Done, and there is nothing to say about it. */
export const NO_CONTENT: Reply = { kind: 'empty', status: 204 };

/** Sends a browser elsewhere, with cookies; kept by nobody. */
export function redirect(location: string, cookies: readonly string[]): Reply {
  const headers = { Location: location, 'Set-Cookie': cookies, 'Cache-Control': 'no-store' };
  return { kind: 'empty', status: 302, headers };
}
