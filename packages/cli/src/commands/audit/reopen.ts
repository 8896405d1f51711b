import { reopenAuditLog } from '@catalog/server/compose-operations';
import { usageError } from '../../command/usage-errors.ts';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { readSettings, toHooks } from '../admin/read-settings.ts';
import type { auditReopenDefinition } from './proof-definition.ts';

export async function run(
  { flags }: CommandInput<typeof auditReopenDefinition>,
  session: Session,
): Promise<CommandResult> {
  if (flags.reason === undefined || flags.reason.trim() === '') {
    throw usageError('--reason is missing.', 'Pass --reason; the log records it.', {
      argument: '--reason',
    });
  }
  const settings = readSettings(flags, 'audit reopen', session);
  const opened = await reopenAuditLog(settings, flags.reason, toHooks(session));
  return {
    lines: opened.map(({ tenant, position, lost }) => {
      const range =
        lost === undefined ? 'no record was lost' : `${lost.from} to ${lost.to} are lost`;
      return `tenant ${tenant}: continues with record ${position}; ${range}`;
    }),
    json: { opened },
  };
}
