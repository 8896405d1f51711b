import { buildAuditRecord } from '../audit/build-record.ts';
import { occasionOfCall } from '../occasion.ts';
import type { CallContext, Registry } from '../registry.ts';

/**
 * Records that an admin is about to look into layers that are not visible to them (SPEC-10). What
 * cannot be recorded is not shown. Where nobody is told apart there is nothing to override.
 */
export async function recordOverride(
  registry: Registry,
  context: CallContext,
  facts: { operation: string; artifact?: string },
): Promise<void> {
  if (registry.settings.open) return;
  const record = buildAuditRecord(
    occasionOfCall(registry, context),
    'admin.visibility_override',
    facts,
  );
  await registry.store.transaction(({ audit }) => audit.append(context.tenant, [record]));
}
