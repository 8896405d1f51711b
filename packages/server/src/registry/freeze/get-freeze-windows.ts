import type {
  FreezeWindow,
  FreezeWindows,
  ShownFreezeWindow,
} from '@catalog/contract/records/freeze';
import { findActivePeriod } from '@catalog/core/freeze/freeze-window';
import type { ApprovalRecord } from '@catalog/core/ports/freezes';
import type { StoreReads } from '@catalog/core/ports/store';
import type { CallContext, Registry } from '../registry.ts';
import { listUsableApprovals } from './check-approvals.ts';

export function getFreezeWindows(
  registry: Registry,
  { tenant }: CallContext,
): Promise<FreezeWindows> {
  return readFreezeWindows(registry, registry.store, tenant);
}

/** Reads the windows inside or outside of a transaction. */
export async function readFreezeWindows(
  registry: Registry,
  reads: Pick<StoreReads, 'freezes' | 'grants' | 'layers'>,
  tenant: CallContext['tenant'],
): Promise<FreezeWindows> {
  const now = registry.now();
  const stored = await reads.freezes.listWindows(tenant);
  const layers = await reads.layers.list(tenant);
  return {
    windows: [
      ...registry.settings.freeze_windows.map((window) => toShown(window, 'file', now)),
      ...stored.map((window) => toShown(window, 'stored', now)),
    ],
    frozen_layers: layers.flatMap(({ id, frozen_since }) =>
      frozen_since === null ? [] : [{ layer: id, frozen_since }],
    ),
    approvals: (await listUsableApprovals(registry, reads, tenant)).map(toWireApproval),
  };
}

function toShown(
  window: FreezeWindow,
  source: ShownFreezeWindow['source'],
  now: Date,
): ShownFreezeWindow {
  const active = findActivePeriod(window, now);
  return {
    ...window,
    source,
    active: active !== undefined,
    ...(active === undefined ? {} : { active_until: active.end.toISOString() }),
  };
}

export function toWireApproval(approval: ApprovalRecord): FreezeWindows['approvals'][number] {
  const { layer_id, reference, window_name, approver, approved_at, expires_at } = approval;
  return {
    ...(layer_id === '' ? { window: window_name } : { layer: layer_id, reference }),
    approver,
    approved_at,
    expires_at,
  };
}
