import type { FreezeWindow } from '@catalog/contract/records/freeze';
import type { Tenant } from './tenant.ts';

/** Change that an approval allows: an ingest of a layer, or a weaker window. Other fields are empty. */
export interface ApprovedChange {
  layer_id: string;
  /** Commit, or `*` for a directory. */
  reference: string;
  window_name: string;
}

export interface ApprovalRecord extends ApprovedChange {
  approver: string;
  approved_at: string;
  expires_at: string;
  /** Job or request that used the approval; null if unused. */
  used_by: string | null;
}

export interface FreezeReads {
  /** Lists the stored windows of a tenant by name. */
  listWindows(tenant: Tenant): Promise<FreezeWindow[]>;
  /** Lists approvals that expire after `now`, including used ones. */
  listApprovals(tenant: Tenant, now: string): Promise<ApprovalRecord[]>;
  /** Lists active tenants with a live layer whose ingest was blocked. */
  listFrozenTenants(): Promise<Tenant[]>;
}

export interface FreezeWrites extends FreezeReads {
  /** Replaces all stored windows of a tenant. */
  putWindows(tenant: Tenant, windows: readonly FreezeWindow[]): Promise<void>;
  /** Replaces an earlier approval of the same change by the same approver. */
  approve(tenant: Tenant, approval: ApprovalRecord): Promise<void>;
  /** Marks the approvals of a change as used. */
  useApprovals(
    tenant: Tenant,
    change: ApprovedChange,
    approvers: readonly string[],
    used_by: string,
  ): Promise<void>;
  pruneApprovals(tenant: Tenant, before: string): Promise<void>;
}
