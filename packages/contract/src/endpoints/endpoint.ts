import type { z } from 'zod';
import type { ErrorCode } from '../errors/catalogue.ts';

/** Who a route is for; what a subject, an anonymous caller and a refused one get is SPEC-3's table. */
export type AccessClass =
  | 'read'
  | 'layer_list'
  | 'layer_reorder'
  | 'layer_write'
  | 'admin'
  | 'operator'
  | 'events'
  /** Refuses nobody: it tells a caller who it is. */
  | 'posture'
  /** A directory, with a bearer token of its own. */
  | 'scim'
  | 'none';

/** One route, once: routing, validation, client types, OpenAPI and documentation come from it. */
export interface Endpoint {
  /** The operation's name, as metrics, logs and the client call it. */
  name: string;
  methods: readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /** Parameters in braces; the last one may match several segments: `{page...}`. */
  path: string;
  summary: string;
  access: AccessClass;
  /** Refused in read-only mode. */
  writes: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Somebody else writes the query, and may write what they like; the route reads it by itself. */
  open_query?: true;
  body?: z.ZodType;
  /** A body may be left out. */
  body_optional?: true;
  /** Status and shape of each answer that is no error; null is an answer without a JSON body. */
  responses: Readonly<Record<number, z.ZodType | null>>;
  /** The media type where it is not plain JSON. */
  media_type?: string;
  /** Codes beside those every route may answer. */
  errors: readonly ErrorCode[];
}

/** Codes any route may answer. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'registry.invalid_argument',
  'registry.unavailable',
  'auth.csrf_invalid',
];

/** Codes a route may answer: its own, and for one that writes the refusal of read-only mode. */
export function errorsOf({ errors, writes }: Endpoint): ErrorCode[] {
  return writes ? [...errors, 'registry.read_only'] : [...errors];
}

export function defineEndpoint<const Row extends Endpoint>(row: Row): Row {
  return row;
}
