import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { View } from './view.ts';

/**
 * Returns an ETag: equal tags mean equal responses. Revisions alone are not enough, because another store may later
 * serve the same URL, with revisions of its own.
 */
export function viewEtag({ layers, narrowing }: View, more = ''): string {
  const seen = layers.map(({ id, created_at, number, revision }) => [
    id,
    created_at,
    number,
    revision,
  ]);
  return `"view:${bytesHash(JSON.stringify(seen) + (narrowing?.key ?? '') + more).slice('sha256:'.length)}"`;
}
