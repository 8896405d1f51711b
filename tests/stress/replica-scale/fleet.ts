import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { startRegistryProcess, type RegistryProcess } from '../../../bench/registry-process.ts';

export interface Fleet {
  /** URL of the load balancer, which sends every request to the next process. */
  url: string;
  urls(): string[];
  replaceOne(): Promise<void>;
  /** Starts that failed for a temporary reason and were repeated, like a supervisor would. */
  refused_starts: readonly string[];
  /** Returns all log lines of all processes in the order of time, including the kills. */
  listLines(): FleetLine[];
  close(): Promise<void>;
}

export interface FleetLine {
  process: number;
  time_ms: number;
  message: string;
  job?: string | undefined;
  duration_ms?: number | undefined;
}

interface LoggedLine {
  time: string;
  msg: string;
  job?: string;
  duration_ms?: number;
}

interface Member {
  number: number;
  log: string;
  running: RegistryProcess;
}

/** Replaces the message for a killed process. */
export const KILLED = 'killed';

/** Starts the given number of processes sequentially with one home folder. */
export async function openFleet(
  home: string,
  size: number,
  env: Readonly<Record<string, string>>,
): Promise<Fleet> {
  mkdirSync(home, { recursive: true });
  const members: Member[] = [];
  const logs: { number: number; log: string }[] = [];
  const kills: FleetLine[] = [];
  const refused_starts: string[] = [];
  let turn = 0;
  let victim = 0;

  async function start(): Promise<Member> {
    const number = logs.length;
    const log = join(home, `log-${number}`);
    logs.push({ number, log });
    const running = await startRegistryProcess(home, {
      env: { CATALOG_LOG_LEVEL: 'debug', ...env },
      log: openSync(log, 'w'),
    });
    return { number, log, running };
  }

  async function startWithRetry(): Promise<Member> {
    for (;;) {
      try {
        return await start();
      } catch (error) {
        if (!String(error).includes('registry.unavailable')) throw error;
        refused_starts.push(String(error));
      }
    }
  }

  while (members.length < size) members.push(await start());
  const balancer = createServer((incoming, outgoing) => {
    turn += 1;
    const member = members[turn % members.length];
    if (member === undefined) outgoing.destroy();
    else pass(member.running.url, incoming, outgoing);
  });
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
  const address = balancer.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    urls: () => members.map(({ running }) => running.url),
    async replaceOne() {
      victim += 1;
      const [member] = members.splice(victim % members.length, 1);
      if (member === undefined) return;
      kills.push({ process: member.number, time_ms: Date.now(), message: KILLED });
      await member.running.kill();
      members.push(await startWithRetry());
    },
    refused_starts,
    listLines: () => [...logs.flatMap(readLog), ...kills].toSorted((a, b) => a.time_ms - b.time_ms),
    async close() {
      balancer.closeAllConnections();
      balancer.close();
      for (const { running } of members) await running.kill();
    },
  };
}

/** Closes the connection if the process exits, like a simple load balancer. */
function pass(url: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers, url: path = '/' } = incoming;
  const passed = request(`${url}${path}`, { method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.flushHeaders();
    answer.on('error', () => outgoing.destroy());
    answer.pipe(outgoing);
  });
  passed.on('error', () => outgoing.destroy());
  outgoing.on('close', () => passed.destroy());
  incoming.pipe(passed);
}

function readLog({ number, log }: { number: number; log: string }): FleetLine[] {
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines.flatMap((line) => {
    // The last line of a killed process may be truncated.
    if (!line.endsWith('}')) return [];
    const { time, msg: message, job, duration_ms }: LoggedLine = JSON.parse(line);
    return [{ process: number, time_ms: Date.parse(time), message, job, duration_ms }];
  });
}
