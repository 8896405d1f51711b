import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { BreakGlassBody, RecordedApproval } from '@catalog/contract/records/freeze';
import type { ApprovedChange } from '@catalog/core/ports/freezes';
import type { StoreReads } from '@catalog/core/ports/store';
import { requireAuditVolume } from '../access/require-audit-volume.ts';
import { buildAuditRecord } from '../audit/build-record.ts';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { isOf, listUsableApprovals, requireDistinctAdmins } from './check-approvals.ts';
import { toWireApproval } from './get-freeze-windows.ts';
import { ANY_REFERENCE } from './require-ingest-unfrozen.ts';

const VALID_MS = 3_600_000;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Records the caller's approval, which is valid for an hour and used once. */
export async function approveBreakGlass(
  registry: Registry,
  context: CallContext,
  body: BreakGlassBody,
): Promise<RecordedApproval> {
  const { tenant, caller } = context;
  const auditContext = callAuditContext(registry, context);
  return registry.store.transaction(async (writes) => {
    await requireAuditVolume(registry, writes.tenants, tenant);
    const change = await readChange(registry, writes, context, body);
    requireDistinctAdmins(registry);
    if (caller.kind !== 'subject') throw new TypeError('only subjects hold the admin role');
    const approval = {
      ...change,
      approver: caller.subject,
      approved_at: auditContext.now.toISOString(),
      expires_at: new Date(auditContext.now.getTime() + VALID_MS).toISOString(),
      used_by: null,
    };
    await writes.freezes.approve(tenant, approval);
    const { justification = '' } = body;
    const shown = toWireApproval(approval);
    await writes.audit.append(tenant, [
      buildAuditRecord(auditContext, 'freeze.approved', {
        ...(shown.layer === undefined ? {} : { layer: shown.layer }),
        ...(shown.reference === undefined ? {} : { reference: shown.reference }),
        ...(shown.window === undefined ? {} : { window: shown.window }),
        expires_at: shown.expires_at,
        ...(justification === '' ? {} : { justification }),
      }),
    ]);
    const approvals = await listUsableApprovals(registry, writes, tenant);
    const approvers = approvals.filter((other) => isOf(other, change));
    return { ...shown, approvers: approvers.map(({ approver }) => approver) };
  });
}

async function readChange(
  registry: Registry,
  reads: Pick<StoreReads, 'freezes' | 'layers'>,
  { tenant }: CallContext,
  { layer: layer_id = '', reference = '', window: window_name = '' }: BreakGlassBody,
): Promise<ApprovedChange> {
  if (window_name !== '' && layer_id === '' && reference === '') {
    await requireStoredWindow(registry, reads, tenant, window_name);
    return { layer_id, reference, window_name };
  }
  if (layer_id === '' || reference === '' || window_name !== '') {
    throw invalid('Name either a `window`, or a `layer` and the `reference` to ingest.', 'window');
  }
  const layer = await reads.layers.get(tenant, layer_id);
  if (layer === undefined || layer.deleted_at !== null) throw notFound('Layer', layer_id);
  if (layer.source_type === 'local' && reference !== ANY_REFERENCE) {
    throw invalid(
      `Layer \`${layer_id}\` reads a directory, which has no commits: use the reference \`*\`.`,
      'reference',
    );
  }
  if (layer.source_type === 'git' && !COMMIT.test(reference)) {
    throw invalid('`reference` must be the full id of a commit.', 'reference');
  }
  return { layer_id, reference, window_name };
}

async function requireStoredWindow(
  { settings }: Registry,
  { freezes }: Pick<StoreReads, 'freezes'>,
  tenant: CallContext['tenant'],
  window: string,
): Promise<void> {
  if (settings.freeze_windows.some(({ name }) => name === window)) {
    throw invalid(
      `The freeze window \`${window}\` is part of the configuration of the registry, so approvals cannot weaken it.`,
      'window',
    );
  }
  const stored = await freezes.listWindows(tenant);
  if (!stored.some(({ name }) => name === window)) throw notFound('Freeze window', window);
}

function invalid(message: string, argument: string): CatalogError {
  return new CatalogError('registry.invalid_argument', message, { details: { argument } });
}

function notFound(kind: string, id: string): CatalogError {
  return new CatalogError('registry.not_found', `${kind} not found: \`${id}\`.`, {
    details: { id },
    suggested_action: 'List windows and layers with `catalog freeze status`.',
  });
}
