import { approvalsFile, type Approval } from '@catalog/consumer/trust/approvals-file';
import { findApprovals, findChosenRegistry } from '@catalog/consumer/trust/list-approvals';
import { loadTrusted } from '@catalog/consumer/trust/list-trusted';
import { trustFile } from '@catalog/consumer/trust/trust-file';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { alignColumns, type Line } from '../../output/text.ts';
import type { trustShowDefinition } from './definition.ts';
import { describeState } from './list.ts';

export function run(
  input: CommandInput<typeof trustShowDefinition>,
  session: Session,
): CommandResult {
  const { name } = input.arguments;
  const approvals = findApprovals(approvalsFile(session.home), name);
  if (approvals.length > 0) {
    const lines = approvals.flatMap((approval) => describeApproval(approval, session));
    return { lines, json: { approvals } };
  }
  const chosen = findChosenRegistry(approvalsFile(session.home), session.cwd, name);
  if (chosen !== undefined) {
    return {
      lines: alignColumns([
        ['workspace', shortPath(chosen.workspace, session)],
        ['registry', shortPath(chosen.registry, session)],
      ]),
      json: chosen,
    };
  }
  const trusted = loadTrusted(trustFile(session.home), session.cwd, name);
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

/** Describes an approval. Of commands, URLs and scripts, only hashes are stored. */
function describeApproval({ registry, id, keys }: Approval, session: Session): Line[] {
  return [`${id} from ${shortPath(registry, session)}`, ...keys.map((key): Line => `  ${key}`)];
}
