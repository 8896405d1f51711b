import type { IngestJob } from '@catalog/contract/records/ingest';
import type { Layer } from '@catalog/contract/records/layer';

/**
 * Finds the ingest of a registration. `ingests` starts with the newest one, which may be another: the registry watches
 * the folder after the first ingest.
 */
export function registrationIngest(
  { last_ingested_at }: Pick<Layer, 'last_ingested_at'>,
  ingests: readonly IngestJob[],
): IngestJob | undefined {
  const first =
    last_ingested_at === undefined
      ? ingests.find(({ trigger }) => trigger === 'register')
      : undefined;
  return first ?? ingests[0];
}
