import type { UpdatedLayer, UpdateLayerBody } from '@catalog/contract/records/layer';
import { decideLayerPatch } from '@catalog/core/layer/decide-patch';
import { requireLayerConfigUnfrozen } from '../freeze/require-unfrozen.ts';
import { requireAuditVolume } from '../access/require-audit-volume.ts';
import { requestIngest } from '../ingest/request-ingest.ts';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { hostPathAuthority } from './declared-sources.ts';
import { findLayer, requireLayer } from './load-layer.ts';
import { recordLayerChange } from './record-change.ts';
import { toWireLayer } from './to-wire-layer.ts';

export async function updateLayer(
  registry: Registry,
  context: CallContext,
  { id, patch }: { id: string; patch: UpdateLayerBody },
): Promise<UpdatedLayer> {
  const { tenant, caller } = context;
  return registry.store.transaction(async (writes) => {
    const stored = requireLayer(caller, 'update', {
      id,
      stored: await findLayer(registry, writes.layers, tenant, id),
      names_host_path: (patch.local_path ?? '') !== '',
      moves: (patch.root ?? '') !== '' || (patch.ref ?? '') !== '',
      host_paths: hostPathAuthority(registry, tenant),
    });
    const decision = decideLayerPatch(stored, patch);
    if (decision.kind === 'unchanged') return { layer: toWireLayer(registry, caller, stored) };
    // A leaked secret can be replaced at any time.
    if (decision.fields.some((field) => field !== 'webhook_secret')) {
      await requireLayerConfigUnfrozen(registry, writes.freezes, tenant);
    }
    await requireAuditVolume(registry, writes.tenants, tenant);
    const { rotates_secret, fields, publishes, reads_source } = decision;
    const webhook_secret = rotates_secret ? registry.newSecret() : stored.webhook_secret;
    const layer = { ...decision.layer, webhook_secret };
    await writes.layers.replace(tenant, layer);
    await recordLayerChange(writes, tenant, callAuditContext(registry, context), {
      action: 'update',
      layers: [layer],
      fields,
      publishes,
    });
    if (reads_source) {
      await requestIngest(registry, writes, tenant, {
        layer_id: id,
        full: true,
        trigger: 'update',
      });
    }
    return {
      layer: toWireLayer(registry, caller, layer),
      ...(rotates_secret ? { webhook_secret } : {}),
    };
  });
}
