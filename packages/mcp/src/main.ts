import { homedir } from 'node:os';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { ERROR_CODES } from '@catalog/contract/errors/error-codes';
import type { McpServer } from '@modelcontextprotocol/server';
import { configure, type McpSettings } from './configure.ts';
import { type Diagnostics, openDiagnostics } from './diagnostics.ts';
import type { HostMemory } from './host.ts';
import { serveHost } from './serve-host.ts';
import type { ListingRuntime } from './open-runtime.ts';
import type { SurfaceServing } from './surfaces/attach.ts';
import { claimStdout } from './wire/claim-stdout.ts';
import { VARIABLES } from './variables.ts';

type Arguments = { kind: 'stdio' } | { kind: 'help' } | { kind: 'http'; port: number };

const WIDTH = Math.max(...VARIABLES.map(([name]) => name.length));

const USAGE = `catalog-mcp serves the catalog to an AI agent over the Model Context Protocol.

A harness starts it and communicates over stdin and stdout. Configure it with environment variables:

${VARIABLES.map(([name, summary]) => `  ${name.padEnd(WIDTH)}  ${summary}`).join('\n')}

Options:
  --http [port]  serve over HTTP on this machine instead, with a secret printed once on stderr
  --version      print the version
  --help         print this help
`;

function readArguments(words: readonly string[]): Arguments {
  const [first, second] = words;
  if (first === undefined) return { kind: 'stdio' };
  if (words.length === 1 && (first === '--help' || first === '-h')) return { kind: 'help' };
  if (first === '--http' && words.length <= 2) {
    if (second === undefined) return { kind: 'http', port: 0 };
    const port = /^\d{1,5}$/.test(second) ? Number(second) : Number.NaN;
    if (port <= 65_535) return { kind: 'http', port };
  }
  throw new CatalogError('config.invalid', `Unknown arguments: ${words.join(' ')}.`, {
    suggested_action: 'Run `catalog-mcp --help`; a harness starts it without arguments.',
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

export async function main(words: readonly string[], env: Environment): Promise<void> {
  const output = claimStdout(process);
  const diagnostics = openDiagnostics((text) => void process.stderr.write(text));
  // An unexpected failure must not end the connection.
  process.on('uncaughtException', diagnostics.failure);
  process.on('unhandledRejection', diagnostics.failure);
  try {
    const mode = readArguments(words);
    if (mode.kind === 'help') return void process.stderr.write(USAGE);
    const settings = await configure({ cwd: process.cwd(), home: homedir(), env });
    if (mode.kind === 'http') {
      const { serveHttp } = await import('./http/serve-http.ts');
      const openRuntime = once(() => openRuntimeFor(settings, undefined, diagnostics));
      const running = await serveHttp({
        ...mode,
        settings,
        openRuntime,
        diagnostics,
        attach: createAttach({ ...settings, openRuntime, diagnostics }),
      });
      return onSignal(() => running.close().then(() => process.exit(0)));
    }
    if (process.stdin.isTTY) diagnostics.note(ON_A_TERMINAL);
    const memory: HostMemory = { capabilities: undefined, roots: undefined };
    const openRuntime = once(() => openRuntimeFor(settings, memory, diagnostics));
    const host = serveHost({
      input: process.stdin,
      output,
      memory,
      settings,
      openRuntime,
      diagnostics,
      attach: createAttach({ ...settings, openRuntime, memory, diagnostics }),
      onEnd: () => endProcess(output),
    });
    return onSignal(() => host.close());
  } catch (error) {
    return refuseToStart(error, diagnostics);
  }
}

/** Message for a user who starts the program in a terminal. */
const ON_A_TERMINAL =
  'waiting for a harness on stdin; run `catalog mcp config <harness>` to configure a harness, or press Ctrl-C to stop';

/** The runtime is more than half of the program, so it is loaded after the first response. */
async function openRuntimeFor(
  settings: McpSettings,
  memory: HostMemory | undefined,
  diagnostics: Diagnostics,
): Promise<ListingRuntime> {
  const { openRuntime } = await import('./open-runtime.ts');
  return openRuntime(settings, () => memory?.roots ?? [], diagnostics);
}

/** Returns a function that adds optional surfaces, whose code is loaded when needed; undefined if none is enabled. */
function createAttach(
  serving: SurfaceServing,
): ((server: McpServer) => Promise<McpServer>) | undefined {
  if (serving.surfaces.size === 0) return undefined;
  return async (server) => {
    const { attachSurfaces } = await import('./surfaces/attach.ts');
    return attachSurfaces(server, serving);
  };
}

/** Calls a function once and shares its promise. After a failure, the next call tries again. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Stops the server on a signal. A second signal ends the process immediately. */
function onSignal(stop: () => Promise<unknown>): void {
  for (const name of SIGNALS) process.once(name, () => void stop());
}

const EXIT_TIMEOUT_MS = 400;

/** Open connections would keep the process running. */
function endProcess(output: NodeJS.WritableStream): void {
  output.end(() => process.exit(0));
  setTimeout(() => process.exit(0), EXIT_TIMEOUT_MS).unref();
}

function refuseToStart(error: unknown, diagnostics: Diagnostics): void {
  diagnostics.failure(error);
  process.exitCode = error instanceof CatalogError ? ERROR_CODES[error.code].exit : 1;
}
