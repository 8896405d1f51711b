import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Place } from './place.ts';

interface Message {
  id?: number;
  method?: string;
}

/**
 * Calls the tools, returns its folder when the server requests it, and disconnects after the last
 * response.
 */
export function playHost(
  child: ChildProcessWithoutNullStreams,
  calls: readonly object[],
  { work }: Place,
): void {
  const requests = [
    {
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: { roots: {} },
        clientInfo: { name: 'host', version: '1' },
      },
    },
    ...calls.map((params) => ({ method: 'tools/call', params })),
    { method: 'tools/list' },
  ];
  const waiting = new Set(requests.keys());
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, method }: Message = JSON.parse(line);
    if (method === 'roots/list')
      return send({ id, result: { roots: [{ uri: `file://${work}` }] } });
    if (method !== undefined || id === undefined) return;
    waiting.delete(id);
    if (waiting.size === 0) child.stdin.end();
  });
  for (const [id, request] of requests.entries()) {
    send({ id, ...request });
    if (id === 0) send({ method: 'notifications/initialized' });
  }
}
