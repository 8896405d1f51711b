import { verify } from '@catalog/server/compose-operations';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import type { adminVerifyDefinition } from './definition.ts';
import { readSettings, toHooks } from './read-settings.ts';
import { verificationDocument, verificationLines } from './render-verification.ts';

export async function run(
  { flags }: CommandInput<typeof adminVerifyDefinition>,
  session: Session,
): Promise<CommandResult> {
  const settings = readSettings(flags, 'admin verify', session);
  const report = await verify(settings, { fast: flags.fast }, toHooks(session));
  return {
    lines: verificationLines(report),
    json: verificationDocument(report),
    exit: report.finding_count === 0 ? 0 : 1,
  };
}
