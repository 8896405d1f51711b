import type { TenantAnswer } from '@catalog/contract/records/access';
import type { TenantRecord } from '@catalog/core/ports/tenants';

export function toWireTenant({
  id,
  name,
  active,
  quota,
  expose_scope_preview,
  extends_parents,
}: TenantRecord): TenantAnswer {
  return { id, name, active, quota, expose_scope_preview, extends_parents };
}
