import { startStandIn, type StandIn, type TakenRequest } from './stand-in.ts';

/** What a proxy does to an answer on its way; undefined leaves the request without any. */
export type Change = (request: TakenRequest, body: Buffer) => Buffer | undefined;

/**
 * A proxy in front of a registry that remembers every request and may meddle with the answers. What it
 * asserts of the sender goes with each request, in place of what the sender says.
 */
export function startProxy(
  registry: string,
  change: Change = (_, body) => body,
  asserted: Readonly<Record<string, string>> = {},
): Promise<StandIn> {
  return startStandIn(async (request, response) => {
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
