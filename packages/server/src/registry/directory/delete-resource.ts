import type { Registry } from '../registry.ts';
import { notFound, requireVersion, type DirectoryCall } from './directory-call.ts';
import { recordChange } from './write-resource.ts';

/** Deletes a user or group. A deleted user counts as anonymous until created again (SPEC-58). */
export async function deleteResource(
  registry: Registry,
  call: DirectoryCall,
  { id, if_match }: { id: string; if_match: string | undefined },
): Promise<void> {
  const { tenant, type } = call;
  await registry.store.transaction(async (writes) => {
    const { directory } = writes;
    const before = await directory.get(tenant, type.name, id);
    if (before === undefined) throw notFound(type);
    requireVersion(before, if_match);
    await directory.remove(tenant, type.name, id);
    await recordChange(registry, writes, call, 'deleted', before);
  });
}
