import type { EventName } from '@catalog/contract/event-names';
import { eventBody, eventDataSchemas, type EventBody } from '@catalog/contract/events';
import type { IncomingHttpHeaders } from 'node:http';
import type { RegistryClientView } from './registry-server.ts';

/** Follows the event stream and checks each line against the contract. */
export interface EventFollower {
  headers: IncomingHttpHeaders;
  /** Returns the next event, of the given names if there are any. Skips heartbeats. */
  next(...names: readonly EventName[]): Promise<EventBody>;
  nextLine(): Promise<string | undefined>;
  close(): void;
}

export async function followEvents(
  server: Pick<RegistryClientView, 'open'>,
  query = '',
): Promise<EventFollower> {
  const stream = await server.open(`/v1/events${query}`);
  if (stream.status !== 200) throw new Error(`the stream answered ${stream.status}`);
  async function nextEvent(): Promise<EventBody> {
    const line = await stream.next();
    if (line === undefined) throw new Error('the stream has ended');
    const value: unknown = JSON.parse(line);
    const isHeartbeat = line.startsWith('{"event":"_heartbeat"');
    return isHeartbeat ? nextEvent() : checkEvent(eventBody.parse(value));
  }
  return {
    headers: stream.headers,
    nextLine: () => stream.next(),
    close: () => stream.close(),
    async next(...names) {
      for (;;) {
        const event = await nextEvent();
        if (names.length === 0 || names.some((name) => name === event.event)) return event;
      }
    },
  };
}

function checkEvent(body: EventBody): EventBody {
  const schema = Object.entries(eventDataSchemas).find(([name]) => name === body.event)?.[1];
  if (schema === undefined) throw new Error(`no event is called ${body.event}`);
  schema.parse(body.data);
  return body;
}
