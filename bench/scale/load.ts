import { Agent, request } from 'node:http';

/** One request of a load. */
export interface Asked {
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** The status it has to be answered with; 200 when it says nothing. */
  status?: number;
}

/** What a load came to, seen from outside. */
export interface LoadRun {
  requests: number;
  seconds: number;
  /** Received, with heads and everything. */
  bytes: number;
}

/** Keeps so many connections busy for so long, each with one request after the other. */
export async function runLoad(
  url: string,
  connections: number,
  seconds: number,
  next: () => Asked,
): Promise<LoadRun> {
  const began = performance.now();
  const end = began + seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: connections }, () => askUntil(url, end, next)),
  );
  return {
    requests: counts.reduce((sum, { requests }) => sum + requests, 0),
    seconds: (performance.now() - began) / 1000,
    bytes: counts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

async function askUntil(
  url: string,
  end: number,
  next: () => Asked,
): Promise<{ requests: number; bytes: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let requests = 0;
  let bytes = 0;
  try {
    while (performance.now() < end) {
      const asked = next();
      const answer = await ask(url, asked, agent);
      if (answer.status !== (asked.status ?? 200)) {
        throw new Error(`${asked.path} answered ${answer.status}`);
      }
      requests += 1;
      bytes = answer.received;
    }
  } finally {
    agent.destroy();
  }
  return { requests, bytes };
}

/** The status, and how many bytes this connection has received since it was opened. */
interface Answer {
  status: number;
  received: number;
}

function ask(url: string, { path, headers = {} }: Asked, agent: Agent): Promise<Answer> {
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

/** The tag of an answer, to ask whether it still holds; its body is left unread. */
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
