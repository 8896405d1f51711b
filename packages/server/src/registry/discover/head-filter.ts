import { targetsHarness } from '@catalog/core/artifact/targets-harness';
import type { ArtifactEntry } from '@catalog/contract/records/discovery';
import type { HeadRecord } from '@catalog/core/ports/versions';
import type { View } from '../view/view.ts';

/** Number of heads per batch of a filtered list, and maximum per page. */
export const BATCH = 200;
export const MAX_READ = 2000;

/** Filter for heads. Empty and absent members match everything. */
export interface HeadFilter {
  type: string;
  /** Tags, all of which must match. */
  tags: readonly string[];
  layer: string;
  harness: string;
  /** Time in RFC 3339, UTC, with milliseconds. */
  updated_since?: string | undefined;
  deprecated?: boolean;
}

export function passes(view: View, head: HeadRecord, filter: HeadFilter): boolean {
  const { type, tags, layer, harness, updated_since, deprecated = false } = filter;
  return (
    (type === '' || head.type === type) &&
    tags.every((tag) => head.tags.includes(tag)) &&
    (layer === '' || layerOf(view, head) === layer) &&
    (!deprecated || head.deprecated) &&
    (updated_since === undefined || head.ingested_at >= updated_since) &&
    (harness === '' || targetsHarness(head.frontmatter, harness))
  );
}

export function toEntry(view: View, head: HeadRecord): ArtifactEntry {
  const { id, type, description, version, tags, deprecated, ingested_at } = head;
  return {
    id,
    type,
    summary: description,
    version,
    layer: layerOf(view, head),
    tags: [...tags],
    deprecated,
    updated_at: ingested_at,
  };
}

function layerOf(view: View, { layer }: HeadRecord): string {
  return view.byNumber.get(layer)?.id ?? '';
}
