import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { Accepted } from '@catalog/core/ingest/decide-entries';
import {
  identifierOf,
  toVersionRecord,
  type NewVersion,
} from '@catalog/core/ingest/to-version-record';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { Blob } from '@catalog/core/ports/versions';
import type { Registry } from '../registry.ts';
import type { DecidedIngest } from './decide-ingest.ts';

export interface PlannedVersion {
  accepted: Accepted;
  record: NewVersion;
  blobs: readonly Blob[];
  objects: readonly Blob[];
  server_identifiers: readonly string[];
}

/** Plans the versions to store, each after its dependencies. `reference` is the git commit; empty for a folder. */
export function planIngest(
  registry: Registry,
  layer: LayerRecord,
  reference: string,
  { decision, neighbourhood }: DecidedIngest,
): PlannedVersion[] {
  const ingested_at = registry.now().toISOString();
  const numbers = new Map(neighbourhood.layers.map(({ id, number }) => [id, number]));
  return decision.accepted.map((accepted) => {
    const { artifact, parent } = accepted;
    const record = toVersionRecord(accepted, {
      layer: layer.number,
      version: accepted.entry.artifact.version,
      ingested_at,
      source_commit: reference === '' ? null : reference,
      parent_layer: parent === undefined ? undefined : numbers.get(parent.layer),
    });
    const texts = [record.manifest, record.skill].flatMap(toLargeText);
    const files = artifact.resources.map(({ bytes }, index): Blob => ({
      content_hash: record.files[index]?.content_hash ?? '',
      bytes,
    }));
    return {
      accepted,
      record,
      blobs: files.filter(({ bytes }) => bytes.length <= INLINE_CUTOFF_BYTES),
      objects: [...texts, ...files.filter(({ bytes }) => bytes.length > INLINE_CUTOFF_BYTES)],
      server_identifiers: (artifact.fields.mcpServers ?? []).map(identifierOf),
    };
  });
}

/** Returns text above the inline limit as a file (ART-06). */
function toLargeText(text: string | null): Blob[] {
  if (text === null || text.length <= INLINE_CUTOFF_BYTES / 3) return [];
  const bytes = new TextEncoder().encode(text);
  return bytes.length > INLINE_CUTOFF_BYTES ? [{ content_hash: bytesHash(bytes), bytes }] : [];
}
