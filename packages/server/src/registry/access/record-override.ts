import { buildAuditRecord } from '../audit/build-record.ts';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';

/**
 * Audits access to hidden layers. Throws if the record cannot be written, so that no such access goes unaudited
 * (SPEC-10). Does nothing without authentication.
 */
export async function recordOverride(
  registry: Registry,
  context: CallContext,
  facts: { operation: string; artifact?: string },
): Promise<void> {
  if (registry.settings.open) return;
  const record = buildAuditRecord(
    callAuditContext(registry, context),
    'admin.visibility_override',
    facts,
  );
  await registry.store.transaction(({ audit }) => audit.append(context.tenant, [record]));
}
