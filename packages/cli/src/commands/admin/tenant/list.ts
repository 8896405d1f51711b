import type { CommandInput } from '../../../command/definition.ts';
import type { CommandResult, Session } from '../../../command/session.ts';
import { loadRegistryServer } from '../../registry-server.ts';
import type { adminTenantListDefinition } from './definition.ts';
import { renderTenants } from './render-tenants.ts';

type Input = CommandInput<typeof adminTenantListDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const list = await loadRegistryServer(session, flags).listTenants(session.signal);
  return { lines: renderTenants(list.tenants), json: list };
}
