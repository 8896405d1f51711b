import { approvalsFile } from '@catalog/consumer/trust/approvals-file';
import {
  findChosenRegistry,
  revokeApprovals,
  revokeChosenRegistry,
} from '@catalog/consumer/trust/list-approvals';
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
  const { name } = input.arguments;
  const approvals = revokeApprovals(approvalsFile(session.home), name);
  if (approvals.length > 0) {
    return {
      lines: approvals.map(
        ({ id, registry }) => `${id} from ${shortPath(registry, session)} is no longer approved.`,
      ),
      json: { revoked: name, approvals },
    };
  }
  const chosen = findChosenRegistry(approvalsFile(session.home), session.cwd, name);
  if (chosen !== undefined) {
    revokeChosenRegistry(approvalsFile(session.home), chosen);
    const places = [chosen.registry, chosen.workspace].map((path) => shortPath(path, session));
    return {
      lines: [`Artifacts of ${places.join(' need approval in ')}.`],
      json: { revoked: chosen.workspace },
    };
  }
  const trusted = revokeTrust(trustFile(session.home), session.cwd, name);
  return {
    lines: [`${shortPath(trusted.file, session)} is no longer trusted.`],
    json: { revoked: trusted.file },
  };
}
