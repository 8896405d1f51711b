import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { IngestJob } from '@catalog/contract/records/ingest';
import type { CallContext, Registry } from '../registry.ts';
import { filterReadable } from './list-ingests.ts';
import { toWireIngest } from './to-wire-ingest.ts';

export async function getIngest(
  registry: Registry,
  context: CallContext,
  { job }: { job: string },
): Promise<IngestJob> {
  const record = await registry.store.jobs.get(context.tenant, job);
  const [shown] = await filterReadable(registry, context, record === undefined ? [] : [record]);
  if (shown !== undefined) return toWireIngest(shown);
  throw new CatalogError('registry.not_found', `Ingest not found: \`${job}\`.`, {
    details: { id: job },
    suggested_action:
      'List ingests with `GET /v1/layers/ingests`; only the newest of each layer are kept.',
  });
}
