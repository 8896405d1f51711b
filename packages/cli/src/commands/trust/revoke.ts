import { revokeTrust } from '@catalog/consumer/trust/list-trusted';
import { trustFile } from '@catalog/consumer/trust/trust-file';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import type { trustRevokeDefinition } from './definition.ts';

export function run(
  input: CommandInput<typeof trustRevokeDefinition>,
  session: Session,
): CommandResult {
  const trusted = revokeTrust(trustFile(session.home), session.cwd, input.arguments.file);
  return {
    lines: [`${shortPath(trusted.file, session)} is no longer trusted.`],
    json: { revoked: trusted.file },
  };
}
