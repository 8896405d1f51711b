import type { HeadRecord } from '@catalog/core/ports/versions';
import { resolvePin, type PinCandidate } from '@catalog/core/version/pin';

/**
 * The version an id is served in: the one ingested last that is not deprecated; with only deprecated
 * ones left, the newest of them (SPEC-21). Rolled back versions are left out (SPEC-70).
 */
export function chooseHead<Candidate extends PinCandidate>(
  versions: readonly Candidate[],
): Candidate | undefined {
  return resolvePin({ kind: 'latest' }, versions);
}

/** The part of a version that listings and searches read. */
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
