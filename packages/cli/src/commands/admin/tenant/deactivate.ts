import type { CommandInput } from '../../../command/definition.ts';
import type { CommandResult, Session } from '../../../command/session.ts';
import { loadRegistryServer } from '../../registry-server.ts';
import type { adminTenantDeactivateDefinition } from './definition.ts';
import { findTenant } from './find-tenant.ts';

type Input = CommandInput<typeof adminTenantDeactivateDefinition>;

export async function run(
  { flags, arguments: { tenant } }: Input,
  session: Session,
): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  const { id, name } = await findTenant(client, tenant, session.signal);
  await client.deactivateTenant(id, session.signal);
  return {
    lines: [
      `Deactivated ${name}; its data is kept`,
      `Next: to reactivate it, run \`catalog admin tenant activate ${name}\`.`,
    ],
    json: { deactivated: id, name },
  };
}
