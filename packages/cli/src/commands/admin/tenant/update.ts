import type { CommandInput } from '../../../command/definition.ts';
import type { CommandResult, Session } from '../../../command/session.ts';
import { usageError } from '../../../command/usage-errors.ts';
import { loadRegistryServer } from '../../registry-server.ts';
import type { adminTenantUpdateDefinition } from './definition.ts';
import { findTenant } from './find-tenant.ts';
import { renderTenants } from './render-tenants.ts';
import { toTenantBody } from './tenant-flags.ts';

type Input = CommandInput<typeof adminTenantUpdateDefinition>;

export async function run(
  { flags, arguments: { tenant } }: Input,
  session: Session,
): Promise<CommandResult> {
  const body = toTenantBody(flags);
  if (Object.keys(body).length === 0) {
    throw usageError(
      'No change was requested.',
      'Pass at least one flag; see `catalog admin tenant update --help`.',
      { command: 'admin tenant update' },
    );
  }
  const client = loadRegistryServer(session, flags);
  const { id } = await findTenant(client, tenant, session.signal);
  const updated = await client.updateTenant(id, body, session.signal);
  return { lines: [`Updated ${updated.name}`, ...renderTenants([updated])], json: updated };
}
