import type { VersionRecord } from '@catalog/core/ports/versions';

/** Columns of a head, for a query with `heads h` and `head_details d`. */
export const HEAD_COLUMNS = `h.layer, h.id, h.version, h.type, h.name, h.description, d.when_to_use,
  h.tags, h.sensitivity, h.search_visibility, h.deprecated, d.replaced_by, h.content_hash,
  h.ingest_order, h.ingested_at, d.frontmatter`;

export const VERSION_COLUMNS = `layer, id, version, type, name, description, when_to_use, tags,
  sensitivity, search_visibility, deprecated, replaced_by, content_hash, ingest_order, ingested_at,
  authored_hash, manifest, skill, files, extends, frontmatter, refusal,
  source_commit`;

export interface VersionRow extends Omit<VersionRecord, 'manifest' | 'skill'> {
  manifest: Buffer | null;
  skill: Buffer | null;
}

export function toVersion(row: VersionRow): VersionRecord {
  return { ...row, manifest: readBody(row.manifest), skill: readBody(row.skill) };
}

export function readBody(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytes.toString('utf8');
}

export function writeBody(text: string | null): Buffer | null {
  return text === null ? null : Buffer.from(text, 'utf8');
}
