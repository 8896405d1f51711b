import type { StoreSnapshot } from '@catalog/core/ports/store-snapshot';
import type { Findings } from './verify-findings.ts';

export async function checkDirectory(snapshot: StoreSnapshot, findings: Findings): Promise<number> {
  const known = new Set<string>();
  for await (const page of snapshot.read('directory_resources')) {
    for (const { tenant, kind, id } of page) known.add(`${tenant} ${kind} ${id}`);
  }
  for await (const page of snapshot.read('directory_members')) {
    for (const { tenant, group_id, user_id } of page) {
      if (known.has(`${tenant} Group ${group_id}`) && known.has(`${tenant} User ${user_id}`))
        continue;
      const message = `Its member ${user_id} is not a user, or it is not a group itself.`;
      findings.add({ kind: 'member-missing', tenant, subject: `group ${group_id}`, message });
    }
  }
  return known.size;
}
