import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { AcceptedIngest } from '@catalog/contract/records/ingest';
import { requireAuthorized } from '@catalog/core/authorize';
import type { Delivered } from '@catalog/core/ports/deliveries';
import type { JobRecord } from '@catalog/core/ports/jobs';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { CallContext, Registry } from '../registry.ts';
import { bodyId, deliveryId, isSigned, type HeaderOf } from './delivery-signature.ts';
import { requestIngest } from './request-ingest.ts';

export interface Delivery {
  layer: string;
  /** Key in the URL; empty if absent. */
  key: string;
  header: HeaderOf;
  readBody(): Promise<Uint8Array>;
}

/**
 * Accepts a webhook delivery of a git host. The URL identifies the layer, and the signature authenticates the sender.
 * Responds when the ingest is queued, because git hosts do not wait. A repeated delivery has no effect (SPEC-19,
 * SPEC-30), even with a new delivery id.
 */
export async function acceptDelivery(
  registry: Registry,
  context: CallContext,
  delivery: Delivery,
): Promise<AcceptedIngest> {
  const found = await findLayer(registry, context, delivery);
  if (found === undefined) throw await unknownLayerError(registry, delivery);
  const { tenant, layer } = found;
  if (layer.source_type !== 'git') throw notGit(layer);
  const body = await delivery.readBody();
  if (!isSigned(layer, delivery.header, body)) throw unsigned(layer.id);
  requireAuthorized(context.caller, 'deliver', { stored: layer });
  const ids = {
    delivery: deliveryId(layer.git_provider, delivery.header),
    body: bodyId(body),
  };
  try {
    return await registry.store.transaction((writes) =>
      enqueue(registry, writes, tenant, layer, ids),
    );
  } catch (error) {
    if (!(error instanceof RepeatedDelivery)) throw error;
    return { job: error.job, layer: layer.id };
  }
}

/** Thrown to roll back the transaction of a repeated delivery. */
class RepeatedDelivery extends Error {
  readonly job: string;

  constructor(job: string) {
    super('this delivery was already accepted');
    this.job = job;
  }
}

interface DeliveryIds {
  delivery: string | undefined;
  body: string | undefined;
}

async function enqueue(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  layer: LayerRecord,
  ids: DeliveryIds,
): Promise<AcceptedIngest> {
  const wanted = { layer_id: layer.id, full: false, trigger: 'webhook' } as const;
  const { job } = await requestIngest(registry, writes, tenant, wanted);
  const now = registry.now().toISOString();
  const record = (delivery_id: string, isRepeated: IsRepeated): Promise<void> =>
    recordDelivery(writes, tenant, layer, { delivery_id, job, now }, isRepeated);
  // Git hosts resend a failed delivery with the same id if a user requests it.
  if (ids.delivery !== undefined) await record(ids.delivery, ({ state }) => state !== 'failed');
  if (ids.body !== undefined) {
    await record(ids.body, (before) => isReplay(writes, tenant, layer, before));
  }
  return { job, layer: layer.id };
}

type IsRepeated = (before: JobRecord) => boolean | Promise<boolean>;

/** Records a delivery. Throws if it was recorded before. */
async function recordDelivery(
  writes: StoreWrites,
  tenant: Tenant,
  layer: LayerRecord,
  delivered: Delivered,
  isRepeated: IsRepeated,
): Promise<void> {
  const earlier = await writes.deliveries.record(tenant, layer.number, delivered);
  if (earlier === undefined) return;
  const before = await writes.jobs.get(tenant, earlier);
  if (before !== undefined && (await isRepeated(before))) throw new RepeatedDelivery(before.job);
  await writes.deliveries.renew(tenant, layer.number, delivered);
}

/**
 * Returns true for a repeated body. Pushing back and forth also repeats one, but with an ingest of another commit in
 * between.
 */
async function isReplay(
  writes: StoreWrites,
  tenant: Tenant,
  { id }: LayerRecord,
  { state, report }: JobRecord,
): Promise<boolean> {
  if (state !== 'done') return state !== 'failed';
  const layer = await writes.layers.get(tenant, id);
  return report !== null && report.reference === layer?.last_ingested_ref;
}

/**
 * Finds the layer of a delivery. A key identifies the tenant and must match the id; an id without a key belongs to the
 * caller's tenant (SPEC-5).
 */
async function findLayer(
  { store }: Registry,
  context: CallContext,
  { layer: id, key }: Delivery,
): Promise<{ tenant: Tenant; layer: LayerRecord } | undefined> {
  const found =
    key === ''
      ? { tenant: context.tenant, layer: await store.layers.get(context.tenant, id) }
      : await store.layers.findByWebhookKey(key);
  if (found?.layer?.id === id && found.layer.deleted_at === null) {
    return { tenant: found.tenant, layer: found.layer };
  }
  return undefined;
}

/** Placeholder for a missing layer, so that verifying its deliveries takes as long as any other. */
const NO_LAYER = { git_provider: '', webhook_secret: 'no delivery is signed with this' };

/**
 * Returns the error for an unknown layer. With authentication, it equals the error of a wrong signature, so that
 * guessed ids reveal nothing.
 */
async function unknownLayerError(
  { settings }: Registry,
  delivery: Delivery,
): Promise<CatalogError> {
  const { layer: id } = delivery;
  if (!settings.open) {
    isSigned(NO_LAYER, delivery.header, await delivery.readBody());
    return unsigned(id);
  }
  return new CatalogError('registry.not_found', 'No layer has this webhook URL.', {
    details: { id },
    suggested_action:
      'Use the webhook_url from the registration response. Registering the layer again returns a new one.',
  });
}

function notGit({ id }: LayerRecord): CatalogError {
  return new CatalogError(
    'registry.invalid_argument',
    `Layer ${id} reads a directory; webhook deliveries are only for git layers.`,
    {
      details: { argument: 'layer', constraint: 'git_source' },
      suggested_action: 'Remove the webhook; edits in a directory are detected automatically.',
    },
  );
}

function unsigned(id: string): CatalogError {
  return new CatalogError(
    'ingest.webhook_invalid',
    "The signature of the delivery does not match the layer's secret.",
    { details: { layer: id } },
  );
}
