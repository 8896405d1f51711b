import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { View } from './view.ts';

/**
 * Equal tags mean equal responses. Includes more than revisions, which count within one store only:
 * clients cache by registry URL, and another store or an older copy may later serve that URL.
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
