import type { TenantAnswer } from '@catalog/contract/records/access';
import { formatBytes } from '@catalog/core/text/format-bytes';
import { alignColumns, styled, type Line } from '../../../output/text.ts';
import { renderLayerCap, renderLimit } from '../../quota/render-limit.ts';

const TITLES = [
  'tenant',
  'state',
  'storage',
  'searches/s',
  'loads/s',
  'audit/day',
  'user layers',
  'preview',
  'parents',
];

/** Renders tenants without ids, because commands accept names. */
export function renderTenants(tenants: readonly TenantAnswer[]): Line[] {
  const header = TITLES.map((title): Line => [styled('bold', title)]);
  return alignColumns([header, ...tenants.map(toRow)]);
}

function toRow({
  name,
  active,
  quota,
  expose_scope_preview,
  extends_parents,
}: TenantAnswer): Line[] {
  return [
    name,
    active ? 'active' : [styled('yellow', 'inactive')],
    renderLimit(quota.storage_bytes, formatBytes),
    renderLimit(quota.search_qps),
    renderLimit(quota.materialize_rate),
    renderLimit(quota.audit_volume_per_day),
    renderLayerCap(quota.max_user_layers),
    expose_scope_preview === null ? 'default' : expose_scope_preview ? 'on' : 'off',
    extends_parents ?? 'default',
  ];
}
