import type { RecordedApproval } from '@catalog/contract/records/freeze';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { formatTime } from '../../output/format-time.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { freezeApproveDefinition } from './definition.ts';

type Input = CommandInput<typeof freezeApproveDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const { layer, reference, window, justification } = flags;
  const isIngest = layer !== undefined && reference !== undefined;
  if (!isIngest && window === undefined) {
    throw usageError(
      'Name what to approve: --layer and --reference, or --window.',
      'Use `--layer team --reference <commit>`, or `--window release`.',
      { command: 'freeze approve' },
    );
  }
  const approval = await loadRegistryServer(session, flags).breakGlass(
    {
      ...(isIngest ? { layer, reference } : {}),
      ...(window === undefined ? {} : { window }),
      ...(justification === undefined ? {} : { justification }),
    },
    session.signal,
  );
  return { lines: renderApproval(approval), json: approval };
}

function renderApproval({
  layer,
  reference,
  window,
  expires_at,
  approvers,
}: RecordedApproval): string[] {
  const what =
    window === undefined ? `the ingest of ${layer} at ${reference}` : `a weaker window ${window}`;
  const approved = `Approved ${what}, until ${formatTime(expires_at)}`;
  if (approvers.length < 2) {
    return [approved, 'Next: a second admin must run the same command.'];
  }
  const named = approvers.map((approver) => `--approver ${approver}`).join(' ');
  const next =
    window === undefined
      ? `catalog layer reingest ${layer} --break-glass --justification <text> ${named}`
      : `catalog freeze remove ${window} --justification <text> ${named}`;
  return [approved, `Next: run \`${next}\`.`];
}
