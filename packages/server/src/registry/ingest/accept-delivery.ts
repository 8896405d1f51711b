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

/** What a git host sent. */
export interface Delivery {
  /** The layer the address names. */
  layer: string;
  /** The opaque part of the address; empty where it was left out. */
  key: string;
  header: HeaderOf;
  readBody(): Promise<Uint8Array>;
}

/**
 * Takes a delivery of a git host: the layer is told by the address, the sender by the signature. It
 * is answered as soon as the ingest is sure to run, for git hosts do not wait; one that is sent twice
 * works once (SPEC-19, SPEC-30), also under another delivery id.
 */
export async function acceptDelivery(
  registry: Registry,
  context: CallContext,
  delivery: Delivery,
): Promise<AcceptedIngest> {
  const found = await findLayer(registry, context, delivery);
  if (found === undefined) throw await refuseUnknown(registry, delivery);
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

/** Sent before: nothing of the transaction that found it out is kept. */
class RepeatedDelivery extends Error {
  readonly job: string;

  constructor(job: string) {
    super('this delivery was already accepted');
    this.job = job;
  }
}

/** The names under which a delivery is recognized. */
interface DeliveryIds {
  /** What the git host calls it. */
  delivery: string | undefined;
  /** What its signed content is called. */
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
  // A git host sends a failed delivery again under its old id, for people to try once more.
  if (ids.delivery !== undefined) await record(ids.delivery, ({ state }) => state !== 'failed');
  if (ids.body !== undefined) {
    await record(ids.body, (before) => isReplay(writes, tenant, layer, before));
  }
  return { job, layer: layer.id };
}

/** Whether a delivery whose name led to an ingest before is to start none now. */
type IsRepeated = (before: JobRecord) => boolean | Promise<boolean>;

/** Records a delivery under one of its names; one that is repeated ends the transaction. */
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
 * Whether a body that came before would only have the same reference ingested again. A push back and
 * forth sends the same body twice too; between the two another reference was ingested.
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
 * The layer an address means: by its key, which finds the tenant too and has to fit the id beside it;
 * without a key, by the id in the tenant of the call (SPEC-5).
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

/** A layer nobody has; what is sent to it is checked like any delivery. */
const NO_LAYER = { git_provider: '', webhook_secret: 'no delivery is signed with this' };

/**
 * Where callers are told apart, whoever guesses ids learns nothing: no layer and a wrong signature are
 * answered alike, after the same work.
 */
async function refuseUnknown({ settings }: Registry, delivery: Delivery): Promise<CatalogError> {
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
