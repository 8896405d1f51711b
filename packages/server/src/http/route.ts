import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import type { z } from 'zod';
import type { CallContext, Registry } from '../registry/registry.ts';

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export interface Call<Row extends Endpoint = Endpoint> {
  registry: Registry;
  context: CallContext;
  method: string;
  /** Returns a request header; `name` is in lowercase. */
  header(name: string): string | undefined;
  /** Returns the address of the client, which trusted proxies forward. */
  clientAddress(): string;
  params: Parsed<Row['params']>;
  query: Parsed<Row['query']>;
  /** Encoded query, for routes that receive queries of other programs. */
  search: string;
  body: Parsed<Row['body']>;
  /** Reads the body as bytes, for routes without a body schema. */
  readBytes(limit: number): Promise<Uint8Array>;
  /** Checks the credential again, for long-lived responses. */
  isStillAdmitted(): Promise<boolean>;
}

/** Headers of a route, which replace default headers of the same name. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Successful response of a route; for an error, the route throws a `CatalogError`. */
export type Reply =
  | { kind: 'json'; status: number; value: unknown; headers?: ReplyHeaders }
  | {
      kind: 'bytes';
      status: number;
      bytes: Uint8Array;
      /** Content compressed with Brotli; if absent, the server compresses it when needed. */
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
  /** A response that the route writes to the connection itself, such as an event stream. */
  | { kind: 'raw'; serve(incoming: IncomingMessage, outgoing: ServerResponse): void };

export interface Route {
  endpoint: Endpoint;
  handle(call: Call): Promise<Reply>;
}

export function defineRoute<Row extends Endpoint>(
  endpoint: Row,
  handle: (call: Call<Row>) => Promise<Reply>,
): Route {
  // The contract parses the input with this endpoint before the handler receives it.
  return { endpoint, handle };
}

export function json(value: unknown, status = 200, headers?: ReplyHeaders): Reply {
  return headers === undefined
    ? { kind: 'json', status, value }
    : { kind: 'json', status, value, headers };
}

export const NO_CONTENT: Reply = { kind: 'empty', status: 204 };

/** Creates a redirect that must not be cached. */
export function redirect(location: string, cookies: readonly string[]): Reply {
  const headers = { Location: location, 'Set-Cookie': cookies, 'Cache-Control': 'no-store' };
  return { kind: 'empty', status: 302, headers };
}
