import type { QuotaAnswer } from '@catalog/contract/records/access';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { formatBytes } from '@catalog/core/text/format-bytes';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { quotaDefinition } from './definition.ts';
import { renderLimit } from './render-limit.ts';

type Input = CommandInput<typeof quotaDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const quota = await loadRegistryServer(session, flags).quota(session.signal);
  return { lines: renderQuota(quota), json: quota };
}

function renderQuota({ tenant_id, limits, usage }: QuotaAnswer): Line[] {
  const header = ['', 'used', 'limit'].map((title): Line => [styled('bold', title)]);
  const rows: Line[][] = [
    ['storage', formatBytes(usage.storage_bytes), renderLimit(limits.storage_bytes, formatBytes)],
    ['artifacts', String(usage.artifact_count), '-'],
    [
      'audit records today',
      String(usage.audit_volume_today),
      renderLimit(limits.audit_volume_per_day),
    ],
    ['searches per second', '-', renderLimit(limits.search_qps)],
    ['loads per second', '-', renderLimit(limits.materialize_rate)],
    [
      'personal layers per user',
      '-',
      limits.max_user_layers < 0 ? 'unlimited' : String(limits.max_user_layers),
    ],
  ];
  return [`tenant ${tenant_id}`, ...alignColumns([header, ...rows])];
}
