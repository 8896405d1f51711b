import { openNodeTransport } from '@catalog/consumer/source/node-transport';
import { followStream } from '@catalog/consumer/watch/follow-stream';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { generateSecret } from '../../id.ts';
import { count, styled, type Line } from '../../output/text.ts';
import { describeStreamChange } from '../describe-stream-change.ts';
import { loadRegistryConnection } from '../registry-server.ts';
import type { webhookListenDefinition } from './definition.ts';
import { forwardEvent, parseEvent, type Forwarded } from './forward-event.ts';
import { readSecretFile } from './read-secret-file.ts';

type Input = CommandInput<typeof webhookListenDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const url = readForward(flags.forward);
  const given = readSecretFile(flags['secret-file'], session);
  const secret = given ?? generateSecret();
  const { connection, config } = loadRegistryConnection(session, flags);
  const send = openNodeTransport(config.proxy);
  const totals = { accepted: 0, failed: 0 };
  let cursor: string | undefined;
  let isReady = false;

  async function forward(line: string): Promise<void> {
    const event = parseEvent(line);
    if (event.kind === 'gap') session.note(MISSED);
    if (event.kind === 'event') {
      const forwarded = await forwardEvent(event, { url, secret, send, signal: session.signal });
      totals[forwarded.accepted ? 'accepted' : 'failed'] += 1;
      session.emit({ lines: [describeForwarded(forwarded)], json: forwarded });
    }
    cursor = event.cursor ?? cursor;
  }

  try {
    await followStream(
      connection,
      {
        types: flags.event ?? [],
        since: () => cursor,
        onOpen: (opened) => {
          cursor ??= opened.cursor;
          if (isReady) return;
          isReady = true;
          session.note(
            `Forwarding events of ${connection.registry} to ${url}. To stop, press Ctrl-C.`,
          );
          if (given === undefined) session.note(`Secret: ${secret}`);
        },
        onLine: forward,
        onNews: (news) => {
          if (!isReady && news.kind !== 'open') throw news.error;
          session.note(describeStreamChange(news));
        },
      },
      session.signal,
    );
  } catch (error) {
    if (!session.signal.aborted) throw error;
  }
  const { accepted, failed } = totals;
  const total = count(accepted + failed, 'event');
  session.emit({
    lines: [`Forwarded ${total}: ${accepted} accepted, ${failed} failed`],
    json: { summary: { forwarded: accepted + failed, accepted, failed } },
  });
  return { lines: [], json: undefined };
}

const MISSED: Line = [
  styled('yellow', 'warning'),
  ': some events were not forwarded, because the registry no longer has them',
];

/** Parses the URL to forward to. The user typed it, which is the consent to send events. */
function readForward(given: string | undefined): string {
  const url = given !== undefined && URL.canParse(given) ? new URL(given) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.href;
  throw usageError(
    given === undefined ? '--forward is missing.' : `--forward must be a URL, not ${given}.`,
    'For example: catalog webhook listen --forward http://localhost:3000/webhooks',
    { command: 'webhook listen', argument: '--forward' },
  );
}

function describeForwarded({
  event,
  subject,
  accepted,
  status,
  error,
  duration_ms,
}: Forwarded): Line {
  const outcome = status === undefined ? (error ?? '') : String(status);
  return [
    [event, subject].filter((word) => word !== '').join(' '),
    ' -> ',
    styled(accepted ? 'green' : 'red', outcome),
    ` in ${duration_ms} ms`,
  ];
}
