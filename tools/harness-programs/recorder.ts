import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { formatResponse, type ToolCall } from './model-answers.ts';

export interface RecordedRequest {
  path: string;
  body: unknown;
}

/** Response that is sent once, to the first matching request. */
export interface Step extends ToolCall {
  fits?: (body: unknown) => boolean;
  /** Can use a value of the request, such as an id from an earlier call. */
  inputFor?: (body: unknown) => ToolCall['input'];
}

export interface Recorder {
  url: string;
  requests: RecordedRequest[];
  callOnce: (call: ToolCall) => void;
  /** The first remaining step that matches a request is the response. */
  play: (steps: readonly Step[]) => void;
  close: () => Promise<void>;
}

export async function startRecorder(): Promise<Recorder> {
  const requests: RecordedRequest[] = [];
  let pending: Step[] = [];
  let calls = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const body = readJson(await request.setEncoding('utf8').toArray());
    requests.push({ path, body });
    const step = pending.find(({ name, fits }) => fits?.(body) ?? offers(body, name));
    pending = pending.filter((candidate) => candidate !== step);
    const call = step && {
      ...step,
      input: step.inputFor?.(body) ?? step.input,
      id: String((calls += 1)),
    };
    const { type, text } = formatResponse(path, body, call);
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
    callOnce: (call) => (pending = [call]),
    play: (steps) => (pending = [...steps]),
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

/** Other requests, such as one for a title, have less content. */
export function lastOffering(requests: readonly RecordedRequest[], tool: string): string {
  return JSON.stringify(requests.findLast(({ body }) => offers(body, tool)) ?? {});
}

export function offers(body: unknown, name: string): boolean {
  const tools = Object(body)['tools'];
  return tools !== undefined && JSON.stringify(tools).includes(`"name":${JSON.stringify(name)}`);
}
