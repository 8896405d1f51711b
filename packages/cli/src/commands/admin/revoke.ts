import type { AdminList } from '@catalog/contract/records/access';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { adminRevokeDefinition } from './access-definition.ts';

type Input = CommandInput<typeof adminRevokeDefinition>;

export async function run(
  { flags, arguments: { user } }: Input,
  session: Session,
): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  const { admins } = await client.listAdmins(session.signal);
  await client.revokeAdmin(user, session.signal);
  return { lines: describe(user, admins), json: { revoked: user } };
}

/** Describes the change. If the last administrator loses the role, the description explains how to get a new one. */
function describe(user: string, before: AdminList['admins']): string[] {
  if (!before.some(({ user_id }) => user_id === user)) return [`${user} was not an admin`];
  if (before.length > 1) return [`Revoked the admin role from ${user}`];
  return [
    `Revoked the admin role from ${user}; the tenant has no admins now`,
    'Next: add an admin to bootstrap_admins and restart the server.',
  ];
}
