import type { ArtifactListing } from '@catalog/consumer/runtime/artifact-listing';
import type { RuntimeRegistry } from '@catalog/consumer/runtime/runtime-registry';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { RegistryError } from '@catalog/sdk/registry-error';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { HostInputRequired } from '../host.ts';
import { markError, markText } from '../untrusted-data.ts';

export type SurfaceRegistry = Pick<RuntimeRegistry, 'loadArtifact'> & ArtifactListing;

export type OpenView = (context: ServerContext) => Promise<SurfaceRegistry>;

/** Converts errors of work to protocol errors. Messages quote registries and artifacts, so they are marked. */
export async function withProtocolErrors<T>(uri: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toProtocolError(uri, error);
  }
}

function toProtocolError(uri: string, error: unknown): unknown {
  if (error instanceof ProtocolError || error instanceof HostInputRequired) return error;
  const message = markText(error instanceof Error ? error.message : String(error));
  if (!(error instanceof CatalogError || error instanceof RegistryError)) {
    return new ProtocolError(ProtocolErrorCode.InternalError, message);
  }
  if (error.code === 'registry.not_found' || error.code === 'visibility.denied') {
    return new ResourceNotFoundError(uri, message);
  }
  return new ProtocolError(ProtocolErrorCode.InternalError, message, {
    ...markError(error.toEnvelope()),
  });
}

/** Returns `empty` and logs a failure of a list: Claude Code drops the tools of a server if one of its lists fails. */
export async function listOrEmpty<T>(
  empty: T,
  warn: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CatalogError || error instanceof RegistryError)) {
      throw toProtocolError('', error);
    }
    warn(`returned an empty list: ${error.message}`);
    return empty;
  }
}

/** Encodes an id without spaces and punctuation, because hosts show it as a name. */
export function encodeId(id: string): string {
  return id.split('/').map(encodeURIComponent).join('/');
}

/** Decodes an id; a string that is not encoded stays as it is. */
export function decodeId(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const PAGE = 100;

/** Returns a page. The cursor is the last key of the previous one. */
export function pageOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  cursor: string | undefined,
  size = PAGE,
): { items: T[]; nextCursor?: string } {
  const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString();
  const start = after === undefined ? 0 : items.findIndex((item) => keyOf(item) === after) + 1;
  // The item of the cursor was removed, so the host must start again.
  if (after !== undefined && start === 0) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The list has changed: start again.');
  }
  const page = items.slice(start, start + size);
  const last = page.at(-1);
  if (last === undefined || start + size >= items.length) return { items: page };
  return { items: page, nextCursor: Buffer.from(keyOf(last)).toString('base64url') };
}
