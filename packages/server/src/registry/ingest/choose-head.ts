import type { HeadRecord } from '@catalog/core/ports/versions';
import { resolvePin, type PinCandidate } from '@catalog/core/version/pin';

/**
 * Returns the version that an id serves: the last ingested one that is not deprecated, or else the newest deprecated
 * one (SPEC-21). Rolled-back versions are excluded (SPEC-70).
 */
export function chooseHead<Candidate extends PinCandidate>(
  versions: readonly Candidate[],
): Candidate | undefined {
  return resolvePin({ kind: 'latest' }, versions);
}

export function toHead(record: HeadRecord): HeadRecord {
  return {
    layer: record.layer,
    id: record.id,
    version: record.version,
    type: record.type,
    name: record.name,
    description: record.description,
    when_to_use: record.when_to_use,
    tags: record.tags,
    sensitivity: record.sensitivity,
    search_visibility: record.search_visibility,
    deprecated: record.deprecated,
    replaced_by: record.replaced_by,
    content_hash: record.content_hash,
    ingest_order: record.ingest_order,
    ingested_at: record.ingested_at,
    frontmatter: record.frontmatter,
  };
}
