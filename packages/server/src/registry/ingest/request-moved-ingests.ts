import type { IngestTrigger } from '@catalog/contract/records/ingest';
import { inParallel } from '@catalog/core/in-parallel';
import { repoHost } from '@catalog/core/layer/classify-repo';
import { composeLayers } from '@catalog/core/layer/compose-layers';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { Tenant } from '@catalog/core/ports/tenant';
import { UnresponsiveHost } from '@catalog/core/ports/unresponsive-host';
import { mayIngest } from '../layers/declared-sources.ts';
import type { Registry } from '../registry.ts';
import type { RefComparisons } from './ref-comparisons.ts';
import { recordFailedIngest, requestIngest } from './request-ingest.ts';

/** Number of layers per tenant that wait for a slot, enough to use every slot. */
const REQUESTED = 2;

export interface CompareOptions {
  /** At startup, layers without an ingest are skipped, because they are already queued. */
  trigger: Extract<IngestTrigger, 'start' | 'poll'>;
  comparisons: RefComparisons;
  /** Called once per unresponsive host and owner or tenant. */
  onUnresponsive: (layer: string, error: UnresponsiveHost) => void;
  signal: AbortSignal;
}

/**
 * Queues ingests of git layers whose refs have moved. An unchanged layer costs one `git ls-remote`. A layer with an
 * unresponsive host gets a failed ingest; any other problem is found by the ingest itself.
 */
export async function requestMovedIngests(
  registry: Registry,
  tenant: Tenant,
  options: CompareOptions,
): Promise<void> {
  const { trigger, comparisons, signal } = options;
  const stored = await registry.store.layers.list(tenant);
  const layers = composeLayers(stored, { kind: 'open' })
    .filter(({ source_type, source_state }) => {
      return source_type === 'git' && (trigger === 'poll' || source_state !== null);
    })
    // An ingest that a freeze window blocked is queued when the window ends.
    .filter((layer) => layer.frozen_since === null && mayIngest(registry, tenant, layer));
  await inParallel(layers, { parallel: REQUESTED }, async (layer) => {
    if (signal.aborted) return;
    await comparisons.run(() => compareLayer(registry, tenant, layer, options));
  });
}

async function compareLayer(
  registry: Registry,
  tenant: Tenant,
  layer: LayerRecord,
  options: CompareOptions,
): Promise<void> {
  const { trigger, signal } = options;
  const state = await readState(registry, tenant, layer, options);
  if (signal.aborted || state === 'same') return;
  await registry.store.transaction(async (writes) => {
    const wanted = { layer_id: layer.id, full: false, trigger };
    if (state === 'moved') await requestIngest(registry, writes, tenant, wanted);
    else await recordFailedIngest(registry, writes, tenant, wanted, state);
  });
}

async function readState(
  registry: Registry,
  tenant: Tenant,
  layer: LayerRecord,
  { comparisons: { unresponsive }, onUnresponsive, signal }: CompareOptions,
): Promise<'same' | 'moved' | UnresponsiveHost> {
  const host = hostOf(tenant, layer);
  const known = unresponsive.get(host);
  if (known !== undefined) return known.of(layer.id);
  try {
    const commit = await registry.sources.git.probe(tenant, layer, signal);
    const isSame = layer.source_state !== null && commit === layer.last_ingested_ref;
    return isSame ? 'same' : 'moved';
  } catch (error) {
    if (!(error instanceof UnresponsiveHost)) return 'moved';
    if (!unresponsive.has(host)) onUnresponsive(layer.id, error);
    unresponsive.set(host, error);
    return error;
  }
}

/**
 * Returns the host of a layer. The key includes the owner or tenant, because a slow repository of one must not affect
 * the layers of others.
 */
function hostOf(tenant: Tenant, { repo, user_defined, owner }: LayerRecord): string {
  return JSON.stringify([tenant, user_defined ? owner : '', repoHost(repo) ?? repo]);
}
