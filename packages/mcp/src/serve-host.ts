import type { Readable, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import type { McpSettings } from './configure.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { HostMemory } from './host.ts';
import { createServer } from './serve.ts';
import type { Runtime } from './tools/tool.ts';
import { createHostTransport } from './wire/host-transport.ts';

export interface HostServing {
  input: Readable;
  output: Writable;
  memory: HostMemory;
  settings: Pick<McpSettings, 'min_clients'>;
  openRuntime: () => Promise<Runtime>;
  diagnostics: Diagnostics;
  attach?: ((server: McpServer) => Promise<McpServer>) | undefined;
  /** Called after the host has disconnected and all output is written. */
  onEnd: () => void;
}

/** Serves a host with the protocol revision of its first message. */
export function serveHost(serving: HostServing): StdioServerHandle {
  const { input, output, memory, settings, openRuntime, diagnostics, attach, onEnd } = serving;
  const wire = createHostTransport({
    input,
    output,
    memory,
    min_clients: settings.min_clients,
    report: diagnostics.problem,
    onFirstAnswer: () => void prepare(openRuntime).catch(diagnostics.failure),
    onEnd,
  });
  const create = (): McpServer =>
    createServer({ openRuntime, memory, report: diagnostics.failure });
  return serveStdio(() => (attach === undefined ? create() : attach(create())), {
    transport: wire,
    onerror: (error) => diagnostics.problem(error.message),
  });
}

async function prepare(openRuntime: () => Promise<Runtime>): Promise<void> {
  const { warmUp } = await import('./warm-up.ts');
  await warmUp(openRuntime);
}
