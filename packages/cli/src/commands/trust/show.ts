import { loadTrusted } from '@catalog/consumer/trust/list-trusted';
import { trustFile } from '@catalog/consumer/trust/trust-file';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { alignColumns } from '../../output/text.ts';
import type { trustShowDefinition } from './definition.ts';
import { describeState } from './list.ts';

export function run(
  input: CommandInput<typeof trustShowDefinition>,
  session: Session,
): CommandResult {
  const trusted = loadTrusted(trustFile(session.home), session.cwd, input.arguments.file);
  return {
    lines: alignColumns([
      ['file', shortPath(trusted.file, session)],
      ['state', describeState(trusted.state)],
      ['trusted', trusted.trusted_hash],
      ['now', trusted.current_hash ?? 'not compared'],
    ]),
    json: trusted,
  };
}
