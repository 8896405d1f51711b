import { startFakeServer, type FakeServer, type ReceivedRequest } from './fake-server.ts';

/** Changes a response; undefined drops the connection. */
export type Change = (request: ReceivedRequest, body: Buffer) => Buffer | undefined;

/** Starts a proxy that records requests and can change responses. Its own headers replace those of the sender. */
export function startProxy(
  registry: string,
  change: Change = (_, body) => body,
  asserted: Readonly<Record<string, string>> = {},
): Promise<FakeServer> {
  return startFakeServer(async (request, response) => {
    const { method, path, body, headers } = request;
    const answer = await fetch(registry + path, {
      method,
      headers: {
        ...pick(headers, ['content-type', 'if-none-match', 'authorization']),
        ...asserted,
      },
      ...(body === '' ? {} : { body }),
    });
    const changed = change(request, Buffer.from(await answer.arrayBuffer()));
    if (changed === undefined) {
      response.destroy();
      return;
    }
    const kept = pick(Object.fromEntries(answer.headers), [
      'content-type',
      'etag',
      'x-catalog-server-version',
    ]);
    response.writeHead(answer.status, kept).end(changed);
  });
}

function pick(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  names: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') kept[name] = value;
  }
  return kept;
}
