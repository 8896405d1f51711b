import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { View } from './view.ts';

/**
 * The tag of an answer over a whole view: it changes with the view, and equal tags mean equal answers.
 * The revisions of a view count within one store only. A consumer keeps answers by the address of the
 * registry, and behind an address may stand another store tomorrow, or an older copy of this one.
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
