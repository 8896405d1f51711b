import type { z } from 'zod';
import type { ErrorCode } from '../errors/error-codes.ts';

/** Access class of a route, which decides about authenticated, anonymous and rejected callers (SPEC-3). */
export type AccessClass =
  | 'read'
  | 'layer_list'
  | 'layer_reorder'
  | 'layer_write'
  | 'admin'
  | 'operator'
  | 'events'
  /** Accepts every caller; the response shows how the registry identifies the caller. */
  | 'posture'
  /** For directories, which authenticate with their own bearer token. */
  | 'scim'
  | 'none';

/** Definition of a route, from which routing, validation, client types, OpenAPI and documentation are derived. */
export interface Endpoint {
  /** Name of the operation in metrics, logs and the client. */
  name: string;
  methods: readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /** Path with parameters in braces. The last one may match several segments: `{page...}`. */
  path: string;
  summary: string;
  access: AccessClass;
  /** True for writes, which read-only mode rejects. */
  writes: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** True if other programs may add query parameters, so that the handler parses the query. */
  open_query?: true;
  body?: z.ZodType;
  body_optional?: true;
  /** Schema of the body by status; null means that there is no JSON body. */
  responses: Readonly<Record<number, z.ZodType | null>>;
  /** Media type; JSON if absent. */
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
