import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ActiveWindow } from '@catalog/core/freeze/freeze-window';
import type { ApprovalRecord, ApprovedChange } from '@catalog/core/ports/freezes';
import type { StoreReads, StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/** Number of admins who must approve a change in a freeze window. */
export const REQUIRED_APPROVERS = 2;

type Approvals = Pick<StoreReads, 'freezes' | 'grants'>;

/**
 * Lists the approvals that can still be used: unexpired, by current admins, and unused, or used by the
 * same job before it was interrupted.
 */
export async function listUsableApprovals(
  registry: Registry,
  { freezes, grants }: Approvals,
  tenant: Tenant,
  user?: string,
): Promise<ApprovalRecord[]> {
  const approvals = await freezes.listApprovals(tenant, registry.now().toISOString());
  const admins = new Set((await grants.list(tenant)).map(({ user_id }) => user_id));
  return approvals.filter(
    ({ used_by, approver }) => (used_by === null || used_by === user) && admins.has(approver),
  );
}

/** Override of a freeze window, as requested by a caller. */
export interface Override {
  justification: string;
  approvers: readonly string[];
}

/** Returns the references for which each named admin, and at least two, approved an ingest. */
export function listApprovedReferences(
  approvals: readonly ApprovalRecord[],
  layer_id: string,
  approvers: readonly string[],
): string[] {
  const ofLayer = approvals.filter((approval) => approval.layer_id === layer_id);
  const references = new Set(ofLayer.map(({ reference }) => reference));
  return [...references].filter((reference) =>
    isApproved(approvals, { layer_id, reference, window_name: '' }, approvers),
  );
}

/** Returns true if each named admin approved the change, and at least two are named. */
export function isApproved(
  approvals: readonly ApprovalRecord[],
  change: ApprovedChange,
  approvers: readonly string[],
): boolean {
  const approved = new Set(
    approvals.filter((approval) => isOf(approval, change)).map(({ approver }) => approver),
  );
  const named = new Set(approvers);
  return named.size >= REQUIRED_APPROVERS && [...named].every((name) => approved.has(name));
}

export function isOf(approval: ApprovalRecord, change: ApprovedChange): boolean {
  return (
    approval.layer_id === change.layer_id &&
    approval.reference === change.reference &&
    approval.window_name === change.window_name
  );
}

/** Marks the approvals of a change as used, so that they allow it only once. */
export async function useApprovals(
  { freezes }: StoreWrites,
  tenant: Tenant,
  change: ApprovedChange,
  approvers: readonly string[],
  used_by: string,
): Promise<void> {
  await freezes.useApprovals(tenant, change, [...new Set(approvers)], used_by);
}

const APPROVE =
  'Two admins run `catalog freeze approve` and are then named with `--approver`; or wait for the window to end.';

/** Without an identity provider, no two admins can be distinguished. */
export function requireDistinctAdmins(registry: Registry, window?: ActiveWindow): void {
  if (!registry.settings.open) return;
  throw new CatalogError(
    'ingest.frozen',
    'Break-glass needs two admins, and this registry does not authenticate callers.',
    {
      details: { ...(window && windowDetails(window)), constraint: 'two_admins' },
      suggested_action: 'Wait for the window to end, or configure an identity provider.',
    },
  );
}

export function windowDetails({ name, end }: ActiveWindow): { window: string; end: string } {
  return { window: name, end: end.toISOString() };
}

export function missingApprovals(window: ActiveWindow, change: string): CatalogError {
  return new CatalogError(
    'ingest.frozen',
    `The freeze window \`${window.name}\` is active, and ${change} is not approved by two named admins.`,
    {
      details: { ...windowDetails(window), constraint: 'approvals' },
      suggested_action: APPROVE,
    },
  );
}
