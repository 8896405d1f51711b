import type { Tenant } from './tenant.ts';

export interface AdminGrant {
  user_id: string;
  granted_at: string;
  granted_by: string;
}

export interface GrantReads {
  isAdmin(tenant: Tenant, user_id: string): Promise<boolean>;
  list(tenant: Tenant): Promise<AdminGrant[]>;
}

export interface GrantWrites extends GrantReads {
  /** Grants a role and increases the tenant's revision. Returns false if the grant existed. */
  grant(tenant: Tenant, grant: AdminGrant): Promise<boolean>;
  revoke(tenant: Tenant, user_id: string): Promise<boolean>;
}
