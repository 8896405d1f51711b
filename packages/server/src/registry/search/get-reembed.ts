import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ReembedJob } from '@catalog/contract/records/reembed';
import type { CallContext, Registry } from '../registry.ts';

export async function getReembed(
  registry: Registry,
  { tenant }: Pick<CallContext, 'tenant'>,
  { job }: { job: string },
): Promise<ReembedJob> {
  const { store } = registry;
  const run = await store.embeddings.getRun(tenant, job);
  if (run === undefined) throw noSuchJob(job);
  const layers = [...new Set(run.failures.map(({ layer }) => layer))];
  const ids = run.failures.map(({ id }) => id);
  const heads = ids.length === 0 ? [] : await store.versions.listHeadsOf(tenant, layers, ids);
  const versions = new Map(heads.map(({ layer, id, version }) => [`${layer} ${id}`, version]));
  const failed = run.failures.length;
  return {
    job,
    state: run.remaining === 0 ? 'done' : 'running',
    created_at: run.created_at,
    total: run.total,
    succeeded: run.total - failed - run.remaining,
    failed,
    failures: run.failures.map(({ layer, id, reason }) => ({
      artifact_id: id,
      version: versions.get(`${layer} ${id}`) ?? '',
      reason,
    })),
    remaining: run.remaining,
  };
}

function noSuchJob(job: string): CatalogError {
  return new CatalogError('registry.not_found', `Job not found: \`${job}\`.`, {
    details: { id: job },
    suggested_action: 'Start a new job with `POST /v1/admin/reembed`.',
  });
}
