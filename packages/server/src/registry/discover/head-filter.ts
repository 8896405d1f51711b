import { targetsHarness } from '@catalog/core/artifact/targets-harness';
import type { ArtifactEntry } from '@catalog/contract/records/discovery';
import type { HeadRecord } from '@catalog/core/ports/versions';
import type { View } from '../view/view.ts';

/** Heads that a filtered list reads at once, and for one page. */
export const BATCH = 200;
export const MAX_READ = 2000;

/** What a list of artifacts is limited to; empty and absent members limit nothing. */
export interface HeadFilter {
  type: string;
  /** All of them. */
  tags: readonly string[];
  /** The id of the layer that serves an artifact. */
  layer: string;
  harness: string;
  /** RFC 3339 in UTC, with milliseconds. */
  updated_since?: string | undefined;
  /** Only deprecated artifacts. */
  deprecated?: boolean;
}

/** Returns true if a head of the view passes the filter. */
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
