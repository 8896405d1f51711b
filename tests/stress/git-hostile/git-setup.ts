import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { LayerRecord } from '@catalog/core/ports/layers';
import { addressProblem } from '@catalog/core/network/address-problem';
import { createGitSource, type GitSource } from '@catalog/server/adapters/source/git/git-source';
import { startGitServer, type GitServer } from '@catalog/testkit/git-server';
import { layerRecord } from '@catalog/testkit/layer-record';
import { OUTSIDE_MARK } from './hostile-folder.ts';
import type { Stage, Trap } from './hostile-stage.ts';

/** Credential that the registry sends to permitted git hosts. */
export const PASSWORD = 'the-rights-of-the-registry';

const MEBIBYTE = 1024 * 1024;

export type BareStage = Omit<Stage, 'random'>;

export interface GitSetup {
  source: GitSource;
  canary_port: number;
  /** Returns the number of connections to the forbidden port up to now. */
  hits(): number;
  /** `Authorization` headers of requests to private repositories. */
  shown: readonly string[];
  open(index: number, trick: (stage: BareStage) => Trap | undefined): LayerRecord;
  /** Returns the violations of the trial and removes its files. */
  leave(layer: LayerRecord): string[];
  close(): Promise<void>;
}

export async function openGitSetup(folder: string, time_ms: number): Promise<GitSetup> {
  const hosts = await openHosts(folder);
  const { git, hostile_port, canary_port, shown } = hosts;
  const outside = join(folder, 'outside.md');
  writeFileSync(outside, `${OUTSIDE_MARK}\n`);
  const canary_file = join(folder, 'a-command-ran');
  const ssh_log = join(folder, 'ssh-calls');
  const cache = join(folder, 'cache');
  let addresses: Trap['addresses'];
  let before = { hits: 0, shown: 0 };
  const source = createGitSource({
    folder: cache,
    search_path: `${standInForSsh(folder, ssh_log)}:${process.env['PATH'] ?? ''}`,
    egress: {
      allowed_hosts: [`127.0.0.1:${git.port}`, `127.0.0.1:${hostile_port}`],
      proxy: { http: undefined, https: undefined, except: [] },
      ca_file: undefined,
    },
    resolve: async (name) => addresses?.[name] ?? [],
    credentials: [
      {
        scheme: 'http',
        host: '127.0.0.1',
        port: git.port,
        username: 'registry',
        password: PASSWORD,
      },
    ],
    known_hosts: undefined,
    limits: {
      bytes: 32 * MEBIBYTE,
      files: 20_000,
      time_ms,
      personal_time_ms: time_ms,
      probe_time_ms: time_ms,
      connect_time_ms: time_ms,
    },
  });

  return {
    source,
    canary_port,
    hits: hosts.hits,
    shown,
    open: (index, trick) => {
      const place = `open/${index}`;
      mkdirSync(join(folder, 'git', place), { recursive: true });
      const trap = trick({
        folder: join(folder, 'git', place),
        url: `http://127.0.0.1:${git.port}/${place}`,
        hostileUrl: `http://127.0.0.1:${hostile_port}`,
        answerWith: hosts.answerWith,
        canary_port,
        canary_file,
        outside,
      });
      addresses = trap?.addresses;
      before = { hits: hosts.hits(), shown: shown.length };
      return layerRecord({ ...trap?.layer, id: 'hostile', number: index + 1 });
    },
    leave: ({ number, user_defined }) => {
      const wrong = sshProblems(ssh_log);
      if (hosts.hits() > before.hits) wrong.push('connected to where nobody may connect');
      if (existsSync(canary_file)) wrong.push('ran a command');
      if (user_defined && shown.length > before.shown) wrong.push('showed the credentials');
      const copy = join(cache, '1', String(number));
      for (const path of [
        canary_file,
        ssh_log,
        copy,
        join(folder, 'git/open', String(number - 1)),
      ]) {
        rmSync(path, { recursive: true, force: true });
      }
      return wrong;
    },
    close: async () => {
      await source.close();
      await hosts.close();
    },
  };
}

interface Hosts {
  git: GitServer;
  hostile_port: number;
  canary_port: number;
  shown: string[];
  hits: () => number;
  answerWith: Stage['answerWith'];
  close(): Promise<void>;
}

/** Opens a valid git host, one whose responses a trick controls, and a forbidden port. */
async function openHosts(folder: string): Promise<Hosts> {
  const shown: string[] = [];
  const git = await startGitServer(join(folder, 'git'), {
    intercept: (request, response) => guardPrivate(request, response, shown),
  });
  let answer: Parameters<Stage['answerWith']>[0] = () => {};
  const hostile = createHttpServer((request, response) => answer(request, response));
  let hits = 0;
  const canary = createTcpServer((socket) => {
    hits += 1;
    socket.destroy();
  });
  return {
    git,
    hostile_port: await listen(hostile),
    canary_port: await listen(canary),
    shown,
    hits: () => hits,
    answerWith: (given) => {
      answer = given;
    },
    close: async () => {
      hostile.closeAllConnections();
      hostile.close();
      canary.close();
      await git.close();
    },
  };
}

/** Serves `/open/` repositories under `/private/` too, for requests with a credential. */
function guardPrivate(
  request: IncomingMessage,
  response: ServerResponse,
  shown: string[],
): boolean {
  const { url = '', headers } = request;
  if (!url.startsWith('/private/')) return false;
  if (headers.authorization === undefined) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    return true;
  }
  shown.push(headers.authorization);
  request.url = url.replace('/private/', '/open/');
  return false;
}

/** Creates a program that logs the arguments of ssh and does not connect. */
function standInForSsh(folder: string, log: string): string {
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'ssh'), `#!/bin/sh\necho "$*" >> '${log}'\nexit 255\n`);
  chmodSync(join(tools, 'ssh'), 0o755);
  return tools;
}

function sshProblems(log: string): string[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .filter((line) => addressProblem(/HostName=(\S+)/.exec(line)?.[1] ?? '') !== undefined)
    .map((line) => `ssh was to connect: ${line}`);
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
