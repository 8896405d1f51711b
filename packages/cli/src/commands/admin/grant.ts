import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { adminGrantDefinition } from './access-definition.ts';

type Input = CommandInput<typeof adminGrantDefinition>;

export async function run(
  { flags, arguments: { user } }: Input,
  session: Session,
): Promise<CommandResult> {
  const granted = await loadRegistryServer(session, flags).grantAdmin(user, session.signal);
  return { lines: [`Granted ${granted.user_id} the admin role`], json: granted };
}
