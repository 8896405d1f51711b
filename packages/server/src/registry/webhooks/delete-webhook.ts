import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { saveReceiverFile } from './receiver-file-sync.ts';
import { receiverNotFound } from './not-found.ts';
import { recordReceiverChange } from './record-receiver-change.ts';

export async function deleteWebhook(
  registry: Registry,
  context: CallContext,
  id: string,
): Promise<void> {
  const { tenant } = context;
  await registry.store.transaction(async (writes) => {
    const receiver = await writes.receivers.lock(tenant, id);
    if (receiver === undefined) throw receiverNotFound(id);
    await writes.receivers.remove(tenant, id);
    await recordReceiverChange(
      writes,
      tenant,
      callAuditContext(registry, context),
      'delete',
      receiver,
    );
  });
  await saveReceiverFile(registry);
}
