import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerAs, type ToolCall } from './model-answers.ts';

/** A request as it came; the body is parsed where it is JSON. */
export interface RecordedRequest {
  path: string;
  body: unknown;
}

/** Stands in for every model: says `ok`, or calls one tool first, and keeps what it was sent. */
export interface Recorder {
  url: string;
  requests: RecordedRequest[];
  /** Answers the next request that offers this tool with a call of it, once. */
  callOnce: (call: ToolCall) => void;
  close: () => Promise<void>;
}

export async function startRecorder(): Promise<Recorder> {
  const requests: RecordedRequest[] = [];
  let pending: ToolCall | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const body = readJson(await request.setEncoding('utf8').toArray());
    requests.push({ path, body });
    const call = pending !== undefined && offers(body, pending.name) ? pending : undefined;
    if (call !== undefined) pending = undefined;
    const { type, text } = answerAs(path, body, call);
    response.writeHead(200, { 'content-type': type }).end(text);
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    callOnce: (call) => (pending = call),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function readJson(chunks: readonly string[]): unknown {
  try {
    return JSON.parse(chunks.join(''));
  } catch {
    return undefined;
  }
}

/** The last request that offers this tool: others, such as one for a title, say less. */
export function lastOffering(requests: readonly RecordedRequest[], tool: string): string {
  return JSON.stringify(requests.findLast(({ body }) => offers(body, tool)) ?? {});
}

/** Whether a tool of that name is on offer, in whichever of the four forms. */
function offers(body: unknown, name: string): boolean {
  const tools = Object(body)['tools'];
  return tools !== undefined && JSON.stringify(tools).includes(`"name":${JSON.stringify(name)}`);
}
