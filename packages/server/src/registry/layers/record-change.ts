import type { EventData } from '@catalog/contract/events';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { buildAuditRecord } from '../audit/build-record.ts';
import { buildEvent } from '../events/build-event.ts';
import type { AuditContext } from '../audit-context.ts';

export interface LayerChange {
  action: EventData<'layer.config_changed'>['action'];
  /** Changed layers; only a reorder has several. */
  layers: readonly LayerRecord[];
  fields?: readonly string[];
  /** False for changes that are only audited: secrets, providers and policies (SPEC-25). */
  publishes: boolean;
}

/**
 * Records a change of layers, in its transaction. Personal layers have other record and event types, with only id and
 * action.
 */
export async function recordLayerChange(
  writes: StoreWrites,
  tenant: Tenant,
  auditContext: AuditContext,
  change: LayerChange,
): Promise<void> {
  const { action, layers, fields = [], publishes } = change;
  const shared = layers.filter((layer) => !layer.user_defined).map(({ id }) => id);
  const personal = layers.filter((layer) => layer.user_defined).map(({ id }) => id);
  const records = personal.map((layer) =>
    buildAuditRecord(auditContext, 'layer.user_registered', { layer, action }),
  );
  const events = personal.map((layer) =>
    buildEvent(auditContext, 'layer.user_registered', { layer, action }),
  );
  if (shared.length > 0) {
    const eventData = { layer: shared.join(','), action };
    records.push(buildAuditRecord(auditContext, 'layer.config_changed', { ...eventData, fields }));
    events.push(buildEvent(auditContext, 'layer.config_changed', eventData));
  }
  await writes.audit.append(tenant, records);
  if (publishes) await writes.outbox.append(tenant, events);
}
