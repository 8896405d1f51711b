import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ProviderFault } from '@catalog/core/conformance/embedder/provider-fault';
import { freePort, listenOn } from '../../../../tools/services/free-port.ts';
import { sendJson } from '../fake-server.ts';
import { embedText } from '../test-embedder.ts';
import type { EmbeddingResult, EmbeddingRequest, EmbeddingApi } from './embedding-api.ts';

/** Server with the published API of a provider, which can simulate faults. */
export interface EmbeddingServer {
  url: string;
  key: string;
  dimensions: number;
  /** Requests, oldest first, including rejected ones. */
  asked: EmbeddingRequest[];
  connections: number;
  fault: ProviderFault;
  /** Side to which a fault applies, for providers whose requests contain it. */
  fault_side: EmbeddingRequest['side'];
  refused_text: string | undefined;
  stop(): Promise<void>;
  restart(): Promise<void>;
}

const DIMENSIONS = 48;
/** Length of the vectors. It is not 1, because some providers do not normalize vectors. */
const LENGTH = 3.5;

/** Opens a server at a free port. The caller closes it with `takeDown`. */
export async function openEmbeddingServer(
  api: EmbeddingApi,
  dimensions = DIMENSIONS,
): Promise<EmbeddingServer> {
  const key = 'sk-very-secret-0123456789';

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await buffer(incoming)).toString();
    if (incoming.method !== 'POST' || incoming.url !== api.path) {
      return sendJson(response, api.writeError('not found', 'not_found'), { status: 404 });
    }
    if (api.needs_key && incoming.headers.authorization !== `Bearer ${key}`) {
      // Real providers include a part of the key in errors.
      const shown = incoming.headers.authorization ?? '';
      const error = api.writeError(`Incorrect API key provided: ${shown}`, 'invalid_api_key');
      return sendJson(response, error, { status: 401 });
    }
    let embedding_request: EmbeddingRequest;
    try {
      embedding_request = api.read(JSON.parse(body));
    } catch (cause) {
      const error = api.writeError(`${String(cause)} in ${body}`, 'invalid_value');
      return sendJson(response, error, { status: 400 });
    }
    server.asked.push(embedding_request);
    const { refused_text } = server;
    if (
      refused_text !== undefined &&
      embedding_request.texts.some((text) => text.includes(refused_text))
    ) {
      return sendJson(response, api.writeError('not that', 'refused'), { status: 400 });
    }
    const applies = server.fault_side === undefined || server.fault_side === embedding_request.side;
    respond(api, response, embedding_request, {
      fault: applies ? server.fault : { kind: 'well' },
      dimensions,
    });
  }

  let listening: Server | undefined;
  async function listen(port: number): Promise<Server> {
    const opened = createServer((incoming, response) => {
      void answer(incoming, response).catch(() => response.destroy());
    });
    opened.on('connection', () => (server.connections += 1));
    await listenOn(opened, port);
    return opened;
  }

  async function takeDown(): Promise<void> {
    const open = listening;
    listening = undefined;
    await new Promise<void>((resolve) => {
      if (open === undefined) return resolve();
      open.close(() => resolve());
      open.closeAllConnections();
    });
  }

  const server: EmbeddingServer = {
    url: '',
    key,
    dimensions,
    asked: [],
    connections: 0,
    fault: { kind: 'well' },
    fault_side: undefined,
    refused_text: undefined,
    stop: takeDown,
    async restart() {
      listening ??= await listen(Number(new URL(server.url).port));
    },
  };
  listening = await listen(await freePort());
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
  server.url = `http://127.0.0.1:${address.port}`;
  return server;
}

function respond(
  api: EmbeddingApi,
  response: ServerResponse,
  embedding_request: EmbeddingRequest,
  { fault, dimensions }: { fault: ProviderFault; dimensions: number },
): void {
  const vectors = embedding_request.texts.map((text, index): EmbeddingResult => {
    const vector = embedText(text, embedding_request.dimensions ?? dimensions);
    return { index, values: Array.from(vector, (value) => value * LENGTH) };
  });
  switch (fault.kind) {
    case 'hanging':
      return;
    case 'slow':
      setTimeout(() => sendJson(response, api.write(vectors, embedding_request)), fault.ms);
      return;
    case 'status': {
      const { status, headers = {} } = fault;
      return sendJson(response, api.writeError('no', 'no'), { status, headers });
    }
    case 'shuffled':
      return sendJson(response, api.write(vectors.toReversed(), embedding_request));
    case 'one_less':
      return sendJson(response, api.write(vectors.slice(1), embedding_request));
    case 'one_more':
      return sendJson(response, api.write([...vectors, ...vectors.slice(0, 1)], embedding_request));
    case 'wrong_dimension':
      return sendJson(response, api.write(changeFirst(vectors, [1, 2, 3]), embedding_request));
    case 'zeros':
      return sendJson(response, api.write(changeFirst(vectors, zeros(vectors)), embedding_request));
    case 'not_a_number':
    case 'infinite': {
      // Neither is valid: `NaN` is not JSON, and the number overflows a float.
      const written = fault.kind === 'infinite' ? '1e999' : 'NaN';
      const marked = changeFirst(vectors, [null, ...zeros(vectors).slice(1)]);
      return sendText(
        response,
        JSON.stringify(api.write(marked, embedding_request)).replace('null', written),
      );
    }
    case 'null_value':
      return sendJson(
        response,
        api.write(changeFirst(vectors, [null, ...zeros(vectors).slice(1)]), embedding_request),
      );
    case 'huge':
      return sendText(
        response,
        JSON.stringify(api.write(vectors, embedding_request)) + ' '.repeat(20_000_000),
      );
    case 'not_json':
      return sendText(response, '<html>Bad gateway</html>');
    case 'truncated': {
      const body = JSON.stringify(api.write(vectors, embedding_request));
      return sendText(response, body.slice(0, Math.floor(body.length / 2)));
    }
    case 'cut': {
      const body = JSON.stringify(api.write(vectors, embedding_request));
      response.writeHead(200, { 'content-length': body.length });
      response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
      return;
    }
    case 'well':
      return sendJson(response, api.write(vectors, embedding_request));
  }
}

function changeFirst(
  vectors: readonly EmbeddingResult[],
  values: EmbeddingResult['values'],
): EmbeddingResult[] {
  return vectors.map((vector, index) => (index === 0 ? { ...vector, values } : vector));
}

function zeros([first]: readonly EmbeddingResult[]): number[] {
  return (first?.values ?? []).map(() => 0);
}

function sendText(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(body);
}
