import type { CommandInput } from '../../../command/definition.ts';
import type { CommandResult, Session } from '../../../command/session.ts';
import { loadRegistryServer } from '../../registry-server.ts';
import type { adminTenantActivateDefinition } from './definition.ts';
import { findTenant } from './find-tenant.ts';

type Input = CommandInput<typeof adminTenantActivateDefinition>;

export async function run(
  { flags, arguments: { tenant } }: Input,
  session: Session,
): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  const { id } = await findTenant(client, tenant, session.signal);
  const activated = await client.updateTenant(id, { active: true }, session.signal);
  return { lines: [`Reactivated ${activated.name}`], json: activated };
}
