import type {
  HeadRecord,
  StoredExtends,
  StoredFile,
  VersionColumns,
  VersionRecord,
} from '@catalog/core/ports/versions';
import { readJson, type JsonText } from '../connection/json-column.ts';

/** List as JSON. The empty list, which is the most frequent, is an empty string. */
export type ListText = JsonText<string[]>;

interface ColumnsRow extends Omit<VersionColumns, 'when_to_use' | 'tags' | 'deprecated'> {
  when_to_use: ListText;
  tags: ListText;
  deprecated: number;
}

export interface HeadRow extends ColumnsRow {
  frontmatter: string | null;
}

export interface VersionRow extends HeadRow {
  authored_hash: string;
  manifest: string | null;
  skill: string | null;
  files: JsonText<StoredFile[]>;
  extends: JsonText<StoredExtends> | null;
  refusal: string | null;
  source_commit: string | null;
}

export const HEAD_COLUMNS = `h.layer, h.id, h.version, h.type, h.name, h.description, h.when_to_use,
  h.tags, h.sensitivity, h.search_visibility, h.deprecated, h.replaced_by, h.content_hash,
  h.ingest_order, h.ingested_at, h.frontmatter`;

export const VERSION_COLUMNS = `layer, id, version, type, name, description, when_to_use, tags,
  sensitivity, search_visibility, deprecated, replaced_by, content_hash, ingest_order, ingested_at,
  frontmatter, authored_hash, manifest, skill, files, extends, refusal,
  source_commit`;

export function toHead(row: HeadRow): HeadRecord {
  return { ...toColumns(row), frontmatter: row.frontmatter };
}

export function toVersion(row: VersionRow): VersionRecord {
  return {
    ...toColumns(row),
    authored_hash: row.authored_hash,
    manifest: row.manifest,
    skill: row.skill,
    files: readJson(row.files),
    extends: row.extends === null ? null : readJson(row.extends),
    frontmatter: row.frontmatter,
    refusal: row.refusal,
    source_commit: row.source_commit,
  };
}

function toColumns(row: ColumnsRow): VersionColumns {
  return {
    layer: row.layer,
    id: row.id,
    version: row.version,
    type: row.type,
    name: row.name,
    description: row.description,
    when_to_use: readList(row.when_to_use),
    tags: readList(row.tags),
    sensitivity: row.sensitivity,
    search_visibility: row.search_visibility,
    deprecated: row.deprecated === 1,
    replaced_by: row.replaced_by,
    content_hash: row.content_hash,
    ingest_order: row.ingest_order,
    ingested_at: row.ingested_at,
  };
}

export function readList(text: ListText): string[] {
  return text === '' ? [] : readJson(text);
}

export function writeList(list: readonly string[]): string {
  return list.length === 0 ? '' : JSON.stringify(list);
}
