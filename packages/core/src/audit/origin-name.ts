import type { Tenant } from '../ports/tenant.ts';

/** Returns the name of a tree in its checkpoints. */
export function originName(tenant: Tenant, origin: string): string {
  return `catalog-audit/${tenant}/${origin}`;
}
