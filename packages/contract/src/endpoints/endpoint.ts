import type { z } from 'zod';
import type { ErrorCode } from '../errors/error-codes.ts';

/**
 * Access class of a route. SPEC-3 defines the responses to authenticated, anonymous and rejected
 * callers.
 */
export type AccessClass =
  | 'read'
  | 'layer_list'
  | 'layer_reorder'
  | 'layer_write'
  | 'admin'
  | 'operator'
  | 'events'
  /** Rejects no caller; the response shows how the registry identifies the caller. */
  | 'posture'
  /** Used by directories, which authenticate with their own bearer token. */
  | 'scim'
  | 'none';

/**
 * Definition of a route: the source of routing, validation, client types, OpenAPI and
 * documentation.
 */
export interface Endpoint {
  /** Operation name in metrics, logs and the client. */
  name: string;
  methods: readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /** Path with parameters in braces; the last one may match several segments: `{page...}`. */
  path: string;
  summary: string;
  access: AccessClass;
  /** True if read-only mode rejects the request. */
  writes: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** True if a third party writes the query and may add parameters; the handler parses the query. */
  open_query?: true;
  body?: z.ZodType;
  body_optional?: true;
  /** A null schema means a response without a JSON body. */
  responses: Readonly<Record<number, z.ZodType | null>>;
  /** JSON if absent. */
  media_type?: string;
  errors: readonly ErrorCode[];
}

export const COMMON_ERRORS: readonly ErrorCode[] = [
  'registry.invalid_argument',
  'registry.unavailable',
  'auth.csrf_invalid',
];

export function errorsOf({ errors, writes }: Endpoint): ErrorCode[] {
  return writes ? [...errors, 'registry.read_only'] : [...errors];
}

export function defineEndpoint<const Row extends Endpoint>(row: Row): Row {
  return row;
}
