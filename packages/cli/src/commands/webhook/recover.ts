import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { currentTime } from '../../clock.ts';
import { count } from '../../output/text.ts';
import { parseTime } from '../parse-time.ts';
import { readDuration } from '../read-duration.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { webhookRecoverDefinition } from './definition.ts';

type Input = CommandInput<typeof webhookRecoverDefinition>;

export async function run(
  { flags, arguments: { id } }: Input,
  session: Session,
): Promise<CommandResult> {
  const since = readSince(flags.since);
  const client = loadRegistryServer(session, flags);
  const { recovered } = await client.recoverWebhook(id, since, session.signal);
  const lines =
    recovered === 0
      ? [`No deliveries have failed since ${since}.`]
      : [
          `Queued ${count(recovered, 'failed delivery', 'failed deliveries')} since ${since}`,
          `Next: to see the results, run \`catalog webhook deliveries ${id}\`.`,
        ];
  return { lines, json: { recovered, since } };
}

function readSince(given: string | undefined): string {
  const ago = given !== undefined && /^\d+[smhd]$/.test(given);
  if (ago) return new Date(currentTime() - (readDuration('--since', given) ?? 0)).toISOString();
  const time = given === undefined ? undefined : parseTime(given);
  if (time !== undefined) return time;
  throw usageError(
    given === undefined
      ? '--since is missing.'
      : `--since must be a duration, a date, or a time with a time zone, not ${given}.`,
    'Use `--since 2h` or `--since 2026-11-01T09:30:00Z`.',
    { command: 'webhook recover', argument: '--since' },
  );
}
