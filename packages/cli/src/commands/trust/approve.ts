import { loadConfig } from '@catalog/consumer/config/load-config';
import { approveArtifacts, inspectArtifacts } from '@catalog/consumer/trust/approve-artifacts';
import { describeContent } from '@catalog/consumer/trust/approve-content';
import { needsApproval, toReported } from '@catalog/consumer/trust/inspected-content';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { signInOnFirstUse } from '../identity/first-use.ts';
import { askContent, withShortPlaces } from '../sync/ask-consent.ts';
import type { trustApproveDefinition } from './definition.ts';

export async function run(
  { arguments: { id: ids }, flags }: CommandInput<typeof trustApproveDefinition>,
  session: Session,
): Promise<CommandResult> {
  const config = loadConfig(toConfigInput(session, toConfigFlags(flags)));
  const options = { signIn: signInOnFirstUse(config, session) };
  const artifacts = await inspectArtifacts(config, ids, options, session.signal);
  const open = artifacts.filter(needsApproval);
  if (open.length > 0) {
    await approveArtifacts(artifacts, config, { confirmContent: askContent(session, 'Approve?') });
  }
  const lines =
    open.length === 0
      ? ['These artifacts need no approval.']
      : ['Approved:', ...describeContent(withShortPlaces(open, session))];
  return { lines, json: { approved: open.map(toReported) } };
}
