import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { PUBLIC_SOURCE_REASONS } from '@catalog/contract/errors/details';
import type { RegisterLayerBody, TestedSource } from '@catalog/contract/records/layer';
import { isLayerAdmin, requireAuthorized } from '@catalog/core/authorize';
import { assertedFields, classifyRegistration } from '@catalog/core/layer/classify-registration';
import type { CallContext, Registry } from '../registry.ts';
import { hostPathAuthority } from './declared-sources.ts';
import { readSource } from './register-layer.ts';

const TENANT_RATE = 10;
/** Minimum interval between two tests of a user in one process. */
const USER_INTERVAL_MS = 1000;

/**
 * Tests a source for a caller who may register it. Administrators get the reason of a failure. Other callers get only
 * reasons about the repository itself, so that they cannot explore a network.
 */
export async function testSource(
  registry: Registry,
  context: CallContext,
  body: RegisterLayerBody,
): Promise<TestedSource> {
  const { tenant, caller } = context;
  const source = readSource(body);
  const stored = await registry.store.layers.get(tenant, body.id);
  const asserts = assertedFields(body, caller);
  const host_paths = hostPathAuthority(registry, tenant);
  requireAuthorized(caller, 'register', { id: body.id, stored, source, asserts, host_paths });
  requireUserRate(registry, context);
  await registry.quota.take(tenant, 'source_test', TENANT_RATE, 1);
  const { user_defined } = classifyRegistration(body, caller);
  const layer = { id: body.id, ...source, user_defined };
  const commit = await registry.sources[source.source_type]
    .probe(tenant, layer, context.signal)
    .catch((cause: unknown) => {
      context.signal.throwIfAborted();
      throw isReported(context, cause) ? cause : unreachableSource(body.id, cause);
    });
  if (commit === undefined) throw missingRef(body.id, source.ref);
  return { reachable: true, ...(commit === '' ? {} : { commit }) };
}

/**
 * Limits the rate of tests per user, so that other users can still test. Callers without a subject count as one user.
 */
function requireUserRate(registry: Registry, { tenant, caller }: CallContext): void {
  const { source_tests: tested } = registry.caches;
  const key = JSON.stringify([tenant, caller.kind === 'subject' ? caller.subject : '']);
  const time = registry.now().getTime();
  for (const [user, at] of tested) {
    if (time - at < USER_INTERVAL_MS) break;
    tested.delete(user);
  }
  const at = tested.get(key);
  if (at === undefined) return void tested.set(key, time);
  throw new CatalogError(
    'quota.source_test_rate_exceeded',
    'The source test rate limit of each user is one test per second.',
    { details: { limit: 1, retry_after_seconds: (at + USER_INTERVAL_MS - time) / 1000 } },
  );
}

const REPORTED_REASONS: ReadonlySet<unknown> = new Set(PUBLIC_SOURCE_REASONS);

function isReported({ caller }: CallContext, cause: unknown): boolean {
  if (!(cause instanceof CatalogError) || cause.code !== 'ingest.source_unreachable') return false;
  return isLayerAdmin(caller) || REPORTED_REASONS.has(cause.details['reason']);
}

function unreachableSource(layer: string, cause: unknown): CatalogError {
  return new CatalogError('ingest.source_unreachable', 'The registry cannot read this source.', {
    details: { layer },
    suggested_action:
      'Check the URL and that the registry may read it. An operator finds the reason in the log.',
    cause,
  });
}

function missingRef(layer: string, ref: string): CatalogError {
  const name = ref === '' ? 'default branch' : `ref \`${ref}\``;
  return new CatalogError('ingest.source_unreachable', `The repository has no ${name}.`, {
    details: { layer },
    suggested_action: 'Set `ref` to an existing branch, tag, or commit.',
  });
}
