import type { IngestJob } from '@catalog/contract/records/ingest';
import type { Layer } from '@catalog/contract/records/layer';

/**
 * `ingests` has the newest first. The registry watches a directory after its first ingest and requests
 * another one, which can be in the list already.
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
