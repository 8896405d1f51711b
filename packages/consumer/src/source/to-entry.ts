import type { Artifact } from '@catalog/core/artifact/types';
import type { CatalogEntry } from './catalog-source.ts';

export function toEntry({
  id,
  type,
  version,
  layer,
  content_hash,
  fields,
}: Artifact): CatalogEntry {
  return { id, type, version, layer, content_hash, deprecated: fields.deprecated === true };
}
