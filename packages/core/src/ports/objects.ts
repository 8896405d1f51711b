import type { Tenant } from './tenant.ts';

/** Bytes too large for a table, by their hash: a folder, or S3. */
export interface Objects {
  /** Durable when it returns; storing what is there already is no error. */
  put(tenant: Tenant, content_hash: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  size(tenant: Tenant, content_hash: string, signal?: AbortSignal): Promise<number | undefined>;
  /** The bytes as a stream, or undefined when there is no such object. */
  open(
    tenant: Tenant,
    content_hash: string,
    signal?: AbortSignal,
  ): Promise<{ size: number; stream: ReadableStream<Uint8Array> } | undefined>;
  /** An address of its own that needs no registry to answer; undefined where the registry serves it. */
  presign(tenant: Tenant, content_hash: string): Promise<string | undefined>;
  /** Throws when the store cannot be used now. */
  probe(signal?: AbortSignal): Promise<void>;
}
