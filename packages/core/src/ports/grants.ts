import type { Tenant } from './tenant.ts';

/** Who holds the admin role of a tenant, since when, and who gave it. */
export interface AdminGrant {
  user_id: string;
  granted_at: string;
  granted_by: string;
}

export interface GrantReads {
  isAdmin(tenant: Tenant, user_id: string): Promise<boolean>;
  /** By user id. */
  list(tenant: Tenant): Promise<AdminGrant[]>;
}

export interface GrantWrites extends GrantReads {
  /** Answers whether this is new; an earlier grant is kept as it is. Raises the tenant's revision. */
  grant(tenant: Tenant, grant: AdminGrant): Promise<boolean>;
  /** Answers whether there was one. Raises the tenant's revision. */
  revoke(tenant: Tenant, user_id: string): Promise<boolean>;
}
