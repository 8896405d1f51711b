import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATA, MEMORY_DATA, SERVICES } from './folders.ts';
import { freePort } from './free-port.ts';
import { hasMemoryFor } from './memory-folder.ts';
import { postgres } from './postgres.ts';
import { replica } from './replica.ts';
import { s3 } from './s3.ts';
import {
  removeState,
  runningState,
  writeState,
  writeAtomically,
  type ServerState,
} from './server-state.ts';
import { serverNames, type ServerName, type SharedServer } from './shared-server.ts';
import { toxiproxy } from './toxiproxy.ts';

export const sharedServers: Readonly<Record<ServerName, SharedServer>> = {
  postgres,
  replica,
  s3,
  toxiproxy,
};

/** Other servers use a free port. */
export type GivenPorts = Readonly<Partial<Record<ServerName, number>>>;

export interface SharedStart {
  ports?: GivenPorts;
  /** Keeps the data in memory, if there is room, until the server stops. */
  in_memory?: boolean;
}

/** Includes the servers that they need. Returns the names of the started servers. */
export async function startShared(
  names: readonly ServerName[],
  { ports = {}, in_memory = false }: SharedStart = {},
): Promise<ServerName[]> {
  return withServiceLock(async () => {
    const wanted = new Set(names.flatMap((name) => [...sharedServers[name].needs, name]));
    const started: ServerName[] = [];
    try {
      for (const name of serverNames) {
        if (!wanted.has(name)) continue;
        let state = runningAt(name, ports[name]);
        if (!state) {
          state = await startOne(name, ports[name] ?? (await freePort()), in_memory);
          started.push(name);
        }
        const place = { folder: folderOf(name, state), port: state.port };
        await sharedServers[name].ready(place, state.process);
      }
    } finally {
      writeEnvironment();
    }
    return started;
  });
}

/** Includes servers that need them. Waits until all have exited. */
export async function stopShared(names: readonly ServerName[]): Promise<void> {
  await withServiceLock(async () => {
    for (const name of serverNames.toReversed()) {
      const server = sharedServers[name];
      if (![name, ...server.needs].some((concerned) => names.includes(concerned))) continue;
      const state = runningState(SERVICES, name);
      if (state) await server.stop(state.process);
      if (state?.in_memory === true) rmSync(folderOf(name, state), { recursive: true });
      removeState(SERVICES, name);
    }
    writeEnvironment();
  });
}

export function listRunning(): ServerName[] {
  return serverNames.filter((name) => runningState(SERVICES, name) !== undefined);
}

export function sharedEnvironment(
  names: readonly ServerName[] = serverNames,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of names) {
    const state = runningState(SERVICES, name);
    if (state) Object.assign(environment, sharedServers[name].env(state.port));
  }
  return environment;
}

function folderOf(name: ServerName, { in_memory = false }: { in_memory?: boolean }): string {
  return join(in_memory ? MEMORY_DATA : DATA, name);
}

/** Leaves as much for the temporary files of tests. */
const MIN_FREE_BYTES = 8 * 2 ** 30;

async function startOne(name: ServerName, port: number, memory: boolean): Promise<ServerState> {
  const in_memory = memory && hasMemoryFor(MIN_FREE_BYTES);
  const folder = folderOf(name, { in_memory });
  mkdirSync(folder, { recursive: true });
  // PostgreSQL runs as another user and must be able to enter.
  if (in_memory) chmodSync(MEMORY_DATA, 0o711);
  const place = { folder, port, in_memory };
  const process = await sharedServers[name].start(place, (needed) => {
    const state = runningState(SERVICES, needed);
    if (!state) throw new Error(`${name} needs ${needed}, which does not run`);
    return state.port;
  });
  const state = { process, port, in_memory };
  writeState(SERVICES, name, state);
  return state;
}

function runningAt(name: ServerName, port: number | undefined): ServerState | undefined {
  const state = runningState(SERVICES, name);
  if (state && port !== undefined && port !== state.port) {
    throw new Error(
      `${name} runs on port ${state.port}; stop it first: ./dev services down ${name}`,
    );
  }
  return state;
}

function writeEnvironment(): void {
  writeAtomically(SERVICES, 'env.json', sharedEnvironment());
}

const LOCK_TIMEOUT_MS = 1_800_000;

/** The lock is released when its process exits. */
async function withServiceLock<Result>(work: () => Promise<Result>): Promise<Result> {
  mkdirSync(SERVICES, { recursive: true });
  const mutex = new DatabaseSync(join(SERVICES, 'mutex.db'), { timeout: LOCK_TIMEOUT_MS });
  try {
    mutex.exec('BEGIN EXCLUSIVE');
    return await work();
  } finally {
    mutex.close();
  }
}
