import { readYaml } from '@catalog/core/manifest/read-yaml';
import type { VersionRecord } from '@catalog/core/ports/versions';

/** Facts about a version that its read records contain. */
export interface AuditedVersion {
  artifact: string;
  version: string;
  layer: string;
  name: string;
  tags: readonly string[];
  /** True if its sensitivity is medium or high. */
  is_sensitive: boolean;
}

/** Replaces a value that the artifact lists in `audit_redact`. */
export const REDACTED = '[redacted]';

/** Applies `audit_redact` to `id`, `name`, `tags` and `layer`. */
export function toAuditedVersion(record: VersionRecord, layer: string): AuditedVersion {
  const { id, version, name, tags, sensitivity, manifest, skill } = record;
  const isRedacted = readRedaction([manifest, skill]);
  return {
    artifact: isRedacted('id') ? REDACTED : id,
    version,
    layer: isRedacted('layer') ? REDACTED : layer,
    name: isRedacted('name') ? REDACTED : name,
    tags: isRedacted('tags') ? [REDACTED] : tags,
    is_sensitive: sensitivity === 'medium' || sensitivity === 'high',
  };
}

/** Redacts every field if the frontmatter cannot be read. Most artifacts lack the key. */
function readRedaction(files: readonly (string | null)[]): (field: string) => boolean {
  const fields = new Set<string>();
  for (const text of files) {
    if (text?.includes('audit_redact') !== true) continue;
    const frontmatter = FRONTMATTER.exec(text)?.[1];
    if (frontmatter === undefined) continue;
    const reading = readYaml(frontmatter);
    if (reading.kind !== 'ok') return () => true;
    const listed = reading.values['audit_redact'];
    if (!Array.isArray(listed)) continue;
    for (const field of listed) if (typeof field === 'string') fields.add(field);
  }
  return (field) => fields.has(field);
}

const FRONTMATTER = /^\uFEFF?---\r?\n(.*?\n)---\r?(?:\n|$)/s;
