import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { layerReingestDefinition } from './definition.ts';
import { toIngestResult, waitForIngest } from './wait-for-ingest.ts';

type Input = CommandInput<typeof layerReingestDefinition>;

export async function run(
  { flags, arguments: { id } }: Input,
  session: Session,
): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  // The request does not wait: a large source can take longer than a connection should.
  const accepted = await client.reingestLayer(
    {
      id,
      wait: false,
      ...(flags['break-glass'] ? { break_glass: true } : {}),
      ...(flags.justification === undefined ? {} : { justification: flags.justification }),
      ...(flags.approver === undefined ? {} : { approvers: flags.approver }),
    },
    session.signal,
  );
  if (flags['no-wait']) {
    return {
      lines: [
        `Started ingesting ${id}`,
        `Next: to follow it, run \`catalog layer ingests ${id}\`.`,
      ],
      json: accepted,
    };
  }
  return toIngestResult(
    await waitForIngest(client, accepted.job, session),
    accepted,
    client.registry,
  );
}
