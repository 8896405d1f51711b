import { Agent, request } from 'node:http';

export interface LoadRequest {
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Expected status; 200 by default. */
  status?: number;
}

export interface LoadRun {
  requests: number;
  seconds: number;
  /** Received bytes, including headers. */
  bytes: number;
}

/** Keeps `connections` connections busy for the given duration, with sequential requests on each. */
export async function runLoad(
  url: string,
  connections: number,
  seconds: number,
  next: () => LoadRequest,
): Promise<LoadRun> {
  const began = performance.now();
  const end = began + seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: connections }, () => sendUntil(url, end, next)),
  );
  return {
    requests: counts.reduce((sum, { requests }) => sum + requests, 0),
    seconds: (performance.now() - began) / 1000,
    bytes: counts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

async function sendUntil(
  url: string,
  end: number,
  next: () => LoadRequest,
): Promise<{ requests: number; bytes: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let requests = 0;
  let bytes = 0;
  try {
    while (performance.now() < end) {
      const loadRequest = next();
      const answer = await sendRequest(url, loadRequest, agent);
      if (answer.status !== (loadRequest.status ?? 200)) {
        throw new Error(`${loadRequest.path} answered ${answer.status}`);
      }
      requests += 1;
      bytes = answer.received;
    }
  } finally {
    agent.destroy();
  }
  return { requests, bytes };
}

/** Status, and the number of bytes received on this connection since it was opened. */
interface Answer {
  status: number;
  received: number;
}

function sendRequest(
  url: string,
  { path, headers = {} }: LoadRequest,
  agent: Agent,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { agent, headers }, (incoming) => {
      const { socket, statusCode: status = 0 } = incoming;
      incoming.resume();
      incoming.on('end', () => resolve({ status, received: socket.bytesRead }));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

export function tagOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, ({ headers: { etag } }) => {
      if (etag === undefined) reject(new Error(`${url} has no tag`));
      else resolve(etag);
      outgoing.destroy();
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
