import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ReembedJob, ReembedResult } from '@catalog/contract/records/reembed';
import type { Embedder } from '@catalog/core/ports/embedder';
import type { ReembedSelection } from '@catalog/core/ports/embeddings';
import { requireAuditVolume } from '../access/require-audit-volume.ts';
import { buildAuditRecord } from '../audit/build-record.ts';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { adoptModel } from './adopt-model.ts';
import { getReembed } from './get-reembed.ts';
import { waitForReembed } from './wait-for-reembed.ts';

export interface ReembedInput {
  artifact: string;
  version: string;
  only_missing: boolean;
  /** Time in RFC 3339. */
  since?: string | undefined;
  wait: boolean;
}

export type ReembedAnswer =
  | { kind: 'begun'; job: ReembedJob }
  | { kind: 'ended'; result: ReembedResult };

/** Embeds all or selected artifacts again (ADMIN-10 to ADMIN-13). */
export async function reembed(
  registry: Registry,
  context: CallContext,
  input: ReembedInput,
): Promise<ReembedAnswer> {
  const { tenant, signal } = context;
  const { model } = requireEmbedder(registry);
  const selection = await select(registry, context, input);
  const run = registry.newId();
  await registry.store.transaction(async (writes) => {
    await requireAuditVolume(registry, writes.tenants, tenant);
    const { artifact, version, only_missing, since = '' } = input;
    const facts = { job: run, artifact, version, only_missing, since };
    const auditContext = callAuditContext(registry, context);
    await writes.audit.append(tenant, [buildAuditRecord(auditContext, 'admin.reembed', facts)]);
  });
  // A new registry may not have registered its model yet.
  await adoptModel(registry);
  const now = registry.now().toISOString();
  await registry.store.embeddings.startRun(tenant, model.name, { run, selection, now });
  if (!input.wait) return { kind: 'begun', job: await getReembed(registry, context, { job: run }) };
  const ended = await waitForReembed(registry, context, run, signal);
  const { total, succeeded, failed, failures } = ended;
  return { kind: 'ended', result: { total, succeeded, failed, failures } };
}

function requireEmbedder({ search }: Registry): Embedder {
  if (search.embedder !== undefined) return search.embedder;
  throw new CatalogError(
    'registry.invalid_argument',
    'Embeddings are disabled in the configuration of this registry.',
    { suggested_action: 'Set `embedding_provider.type` to `builtin`, or to a provider.' },
  );
}

async function select(
  registry: Registry,
  context: CallContext,
  { artifact, version, only_missing, since }: ReembedInput,
): Promise<ReembedSelection> {
  if (artifact !== '' && version !== '') return selectOne(registry, context, artifact, version);
  if (artifact !== '' || version !== '') {
    const absent = artifact === '' ? 'artifact' : 'version';
    throw new CatalogError(
      'registry.invalid_argument',
      '`artifact` and `version` must be given together.',
      { details: { argument: absent }, suggested_action: `Set \`${absent}\` as well.` },
    );
  }
  const from = since === undefined ? undefined : new Date(since).toISOString();
  if (only_missing) return { kind: 'missing', since: from };
  return from === undefined ? { kind: 'all' } : { kind: 'since', since: from };
}

/** Only the served version has a vector. */
async function selectOne(
  registry: Registry,
  { tenant }: CallContext,
  artifact: string,
  version: string,
): Promise<ReembedSelection> {
  const layers = (await registry.store.layers.list(tenant)).map(({ number }) => number);
  const heads = await registry.store.versions.listHeadsOf(tenant, layers, [artifact]);
  if (heads.some((head) => head.version === version)) return { kind: 'ids', ids: [artifact] };
  throw new CatalogError(
    'registry.not_found',
    `Version \`${version}\` of \`${artifact}\` is not searchable.`,
    {
      details: { id: artifact },
      suggested_action:
        heads.length === 0
          ? 'Check the id; withdrawn artifacts are not searchable.'
          : `Use a version that is served: ${heads.map((head) => head.version).join(', ')}.`,
    },
  );
}
