import type { AdminList } from '@catalog/contract/records/access';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { formatTime } from '../../output/format-time.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { adminAdminsDefinition } from './access-definition.ts';

type Input = CommandInput<typeof adminAdminsDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const list = await loadRegistryServer(session, flags).listAdmins(session.signal);
  if (list.admins.length > 0) return { lines: renderAdmins(list), json: list };
  return {
    lines: ['No admins yet. To add one, run `catalog admin grant <user>`.'],
    json: list,
  };
}

function renderAdmins({ admins }: AdminList): Line[] {
  const header = ['user', 'since', 'granted by'].map((title): Line => [styled('bold', title)]);
  const rows = admins.map(({ user_id, granted_at, granted_by }) => [
    user_id,
    formatTime(granted_at),
    granted_by,
  ]);
  return alignColumns([header, ...rows]);
}
