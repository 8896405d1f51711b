import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { PUBLIC_SOURCE_REASONS } from '@catalog/contract/errors/details';
import type { LayerRecord } from '@catalog/core/ports/layers';

export type SourceReason = (typeof PUBLIC_SOURCE_REASONS)[number];

/**
 * Creates the error of an unavailable source. URLs, paths and the output of a git host are only in its cause, for the
 * log.
 */
export function unreachable(
  layer: Pick<LayerRecord, 'id'>,
  what: string,
  suggested_action: string,
  cause?: unknown,
  reason?: SourceReason,
): CatalogError {
  return new CatalogError('ingest.source_unreachable', `Layer ${layer.id}: ${what}.`, {
    details: { layer: layer.id, ...(reason === undefined ? {} : { reason }) },
    suggested_action,
    cause,
  });
}

export function tooMuch(layer: Pick<LayerRecord, 'id'>): CatalogError {
  return unreachable(
    layer,
    'it exceeds the size limit for a layer',
    'Set `root` to the directory of the artifacts, or ask an operator to raise ingest.max_layer_bytes and ingest.max_layer_files.',
    undefined,
    'too_large',
  );
}
