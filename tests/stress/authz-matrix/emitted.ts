import { openStream } from '@catalog/testkit/http-exchange';
import type { Credentials } from './credentials.ts';
import { callers, type Mode } from './dimensions.ts';
import { CANARY, TENANT_NAMES } from './fixture.ts';
import type { Served } from './serve-mode.ts';
import { tenantId } from '@catalog/server/registry/access/tenant-id';

/**
 * What a process says to everybody while others work: the event stream of the home tenant, the log and
 * the measurements. Answers every line of it that names something of the other tenant.
 */
export async function findCanaries(
  served: Served,
  mode: Mode,
  credentials: Credentials,
  work: () => Promise<void>,
): Promise<string[]> {
  const listener = callers.find(({ name }) => name === 'other-subject');
  if (listener === undefined) throw new Error('nobody listens');
  const headers = credentials.headersOf(mode, listener);
  const stream = await openStream(served.url, '/v1/events', { headers });
  const heard: string[] = [];
  const reading = (async () => {
    for (let line = await stream.next(); line !== undefined; line = await stream.next()) {
      heard.push(`event: ${line}`);
    }
  })();
  await work();
  stream.close();
  await reading;
  const metrics = await (await fetch(`${served.url}/metrics`)).text();
  const lines = [
    ...heard,
    ...served.log.flatMap((text) => text.split('\n')).map((line) => `log: ${line}`),
    ...metrics.split('\n').map((line) => `metric: ${line}`),
  ];
  const names = [CANARY, tenantId(TENANT_NAMES.abroad)];
  return lines.filter((line) => names.some((name) => line.includes(name)));
}
