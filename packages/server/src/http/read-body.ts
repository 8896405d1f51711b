import type { IncomingMessage } from 'node:http';
import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** Code of a body above the limit, after which the server closes the connection (SPEC-17). */
export const BODY_TOO_LARGE = 'body_too_large';

export async function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  const announced = Number(incoming.headers['content-length'] ?? 0);
  if (announced > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    const bytes: Uint8Array = chunk;
    size += bytes.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(bytes);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
}

function tooLarge(limit: number): CatalogError {
  return new CatalogError(
    'registry.invalid_argument',
    `The body is too large; the limit is ${limit} bytes.`,
    { details: { argument: 'body', constraint: BODY_TOO_LARGE } },
  );
}
