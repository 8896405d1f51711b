import type { CommandInput } from '../../../command/definition.ts';
import type { CommandResult, Session } from '../../../command/session.ts';
import { loadRegistryServer } from '../../registry-server.ts';
import type { adminTenantCreateDefinition } from './definition.ts';
import { renderTenants } from './render-tenants.ts';
import { toTenantBody } from './tenant-flags.ts';

type Input = CommandInput<typeof adminTenantCreateDefinition>;

export async function run(
  { flags, arguments: { name } }: Input,
  session: Session,
): Promise<CommandResult> {
  const { admin } = flags;
  const body = { name, ...(admin === undefined ? {} : { admins: admin }), ...toTenantBody(flags) };
  const client = loadRegistryServer(session, flags);
  const { tenants } = await client.listTenants(session.signal);
  const was_there = tenants.some((tenant) => tenant.name === name);
  const tenant = await client.createTenant(body, session.signal);
  return {
    lines: [
      was_there ? `${name} already exists and was not changed` : `Created ${name}`,
      ...renderTenants([tenant]),
      ...(was_there
        ? [`Next: to change its limits, run \`catalog admin tenant update ${name}\`.`]
        : []),
    ],
    json: tenant,
  };
}
