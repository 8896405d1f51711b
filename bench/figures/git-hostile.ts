import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createTcpServer, connect, type Server } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { errorCatalogue } from '@catalog/contract/errors/catalogue';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import { decideSnapshots } from '@catalog/core/ingest/decide-snapshots';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import type { LayerRecord } from '@catalog/core/ports/layers';
import { harnessCapabilities } from '@catalog/harness/registry';
import { addressProblem } from '@catalog/server/adapters/egress/address-problem';
import { createGitSource, type GitSource } from '@catalog/server/adapters/source/git/git-source';
import { startGitServer } from '@catalog/testkit/git-server';
import { layerRecord } from '@catalog/testkit/layer-record';
import { seededRandom } from '../../tools/seeded-random.ts';
import { measurementOfFailures, median, type Figure } from '../figure.ts';
import { OUTSIDE_MARK } from '../fixtures/hostile-folder.ts';
import { tricks, type Stage, type Trap } from '../fixtures/hostile-git.ts';

/** The most time one repository may take; the limit of the source is half of it. */
const MOST_MS = 20_000;
const MEBIBYTE = 1024 * 1024;
const PASSWORD = 'the-rights-of-the-registry';
const capabilities = harnessCapabilities();

export const gitHostile: Figure = {
  name: 'git-hostile',
  summary:
    'Generated hostile repositories, refs, addresses and git hosts, read as layers: no command run, ' +
    'nothing from outside the root, no connection the egress rules forbid, no borrowed rights, each answered with a code.',
  kind: 'correctness',
  n: 2_000,
  small_n: 60,
  run: async ({ n, seed, folder }) => {
    const random = seededRandom(`git-hostile ${seed}`);
    const theatre = await openTheatre(folder);
    const names = Object.keys(tricks);
    const failures: string[] = [];
    const times: number[] = [];
    let refused = 0;
    try {
      failures.push(...(await checkTheatre(theatre)));
      for (let index = 0; index < n; index += 1) {
        // Every trick in turn first, then by chance.
        const name = names[index] ?? random.pick(names);
        const result = await theatre.play(index, (stage) => tricks[name]?.({ ...stage, random }));
        if (process.env['DEBUG_H']) console.log('   ^', name, Math.round(result.ms), result.wrong);
        times.push(result.ms);
        if (result.refused) refused += 1;
        failures.push(...result.wrong.map((line) => `repository ${index}, ${name}: ${line}`));
      }
    } finally {
      await theatre.close();
    }
    return {
      ...measurementOfFailures('git-hostile', n, failures.length),
      notes: [
        `${refused} of ${n} were refused with a code, the others are harmless; seed ${seed}`,
        `${names.length} tricks; median ${Math.round(median(times))} ms, slowest ${Math.round(Math.max(...times))} ms`,
        ...failures.slice(0, 50),
      ],
    };
  },
};

interface Outcome {
  wrong: string[];
  refused: boolean;
  ms: number;
}

/** The hosts, the canaries and the source of all trials. */
interface Theatre {
  play(
    index: number,
    trick: (stage: Omit<Stage, 'random'>) => Trap | undefined,
  ): Promise<Outcome & { snapshot: LayerSnapshot | undefined }>;
  /** Connections to where nobody may connect. */
  hits(): number;
  canary_port: number;
  /** The `Authorization` headers of requests to private repositories. */
  shown: string[];
  close(): Promise<void>;
}

async function openTheatre(folder: string): Promise<Theatre> {
  const outside = join(folder, 'outside.md');
  writeFileSync(outside, `${OUTSIDE_MARK}\n`);
  const canary_file = join(folder, 'a-command-ran');
  const shown: string[] = [];
  const git = await startGitServer(join(folder, 'git'), {
    intercept: (request, response) => guardPrivate(request, response, shown),
  });
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const hostile = createHttpServer((request, response) => answer(request, response));
  const hostile_port = await listen(hostile);
  let hits = 0;
  const canary = createTcpServer((socket) => {
    hits += 1;
    socket.destroy();
  });
  const canary_port = await listen(canary);
  const ssh_log = join(folder, 'ssh-calls');
  let addresses: Trap['addresses'] = {};
  const cache = join(folder, 'cache');
  const source = createGitSource({
    folder: cache,
    search_path: `${standInForSsh(folder, ssh_log)}:${process.env['PATH'] ?? ''}`,
    egress: {
      allowed_hosts: [`127.0.0.1:${git.port}`, `127.0.0.1:${hostile_port}`],
      proxy: { http: undefined, https: undefined, except: [] },
      ca_file: undefined,
    },
    resolve: async (name) => addresses?.[name] ?? [],
    credentials: [{ host: '127.0.0.1', username: 'registry', password: PASSWORD }],
    known_hosts: undefined,
    limits: { bytes: 32 * MEBIBYTE, files: 20_000, time_ms: MOST_MS / 2 },
  });

  async function play(
    index: number,
    trick: Parameters<Theatre['play']>[1],
  ): ReturnType<Theatre['play']> {
    const place = `open/${index}`;
    mkdirSync(join(folder, 'git', place), { recursive: true });
    const stage = {
      folder: join(folder, 'git', place),
      url: `http://127.0.0.1:${git.port}/${place}`,
      hostileUrl: `http://127.0.0.1:${hostile_port}`,
      answerWith: (given: typeof answer) => {
        answer = given;
      },
      canary_port,
      canary_file,
      outside,
    };
    const trap = trick(stage);
    addresses = trap?.addresses;
    const before = { hits, shown: shown.length };
    const layer = layerRecord({ ...trap?.layer, id: 'hostile', number: index + 1 });
    const { snapshot, ...outcome } = await read(source, layer);
    const wrong = [...outcome.wrong];
    if (hits > before.hits) wrong.push('connected to where nobody may connect');
    if (existsSync(canary_file)) wrong.push('ran a command');
    if (layer.user_defined && shown.length > before.shown) wrong.push('showed the credentials');
    wrong.push(...sshProblems(ssh_log));
    for (const path of [
      canary_file,
      ssh_log,
      join(cache, '1', String(layer.number)),
      stage.folder,
    ]) {
      rmSync(path, { recursive: true, force: true });
    }
    return { ...outcome, wrong, snapshot };
  }

  return {
    play,
    hits: () => hits,
    canary_port,
    shown,
    close: async () => {
      await source.close();
      hostile.closeAllConnections();
      hostile.close();
      canary.close();
      await git.close();
    },
  };
}

/** Reads a layer; whatever is wrong with it has to be said with a code, in time. */
async function read(
  source: GitSource,
  layer: LayerRecord,
): Promise<Outcome & { snapshot: LayerSnapshot | undefined }> {
  const began = performance.now();
  const wrong: string[] = [];
  let snapshot: LayerSnapshot | undefined;
  let refused = false;
  try {
    const signal = AbortSignal.timeout(MOST_MS);
    ({ snapshot } = await source.read(1, layer, { full: true, retry: [] }, signal));
    wrong.push(...snapshotProblems(snapshot));
    refused = snapshot.refused.length > 0;
    if (process.env['DEBUG_H']) console.log('READ', snapshot.packages.length, JSON.stringify(snapshot.refused.slice(0,2)));
  } catch (error) {
    refused = true;
    if (process.env['DEBUG_H']) console.log(layer.repo.slice(0,60), String((error as Error).message), String((error as any).cause ?? '').slice(0,200));
    if (!(error instanceof CatalogError) || !(error.code in errorCatalogue)) {
      wrong.push(`crashed: ${error instanceof Error ? error.stack : String(error)}`);
    } else {
      const said = JSON.stringify(error.toEnvelope());
      if (/127\.0\.0\.1|\/dev\/shm|\/tmp\/|cache|rights-of/.test(said))
        wrong.push(`says too much: ${said}`);
    }
  }
  const ms = performance.now() - began;
  if (ms > MOST_MS) wrong.push(`took ${Math.round(ms)} ms`);
  return { wrong, refused, ms, snapshot };
}

/** Nothing that was taken may lie outside, come from outside, or be called what cannot be written. */
function snapshotProblems(snapshot: LayerSnapshot): string[] {
  const wrong: string[] = [];
  for (const { id, manifest, skill, resources } of snapshot.packages) {
    for (const bytes of [manifest, skill, ...resources.map((file) => file.bytes)]) {
      if (Buffer.from(bytes ?? []).includes(OUTSIDE_MARK))
        wrong.push(`${id} holds what is outside`);
    }
    for (const { path } of resources) {
      const problem = pathProblem(id === '' ? path : `${id}/${path}`);
      if (problem !== undefined) wrong.push(`${id}/${path} was taken and ${problem}`);
    }
  }
  const { rejected } = decideSnapshots([snapshot], { capabilities });
  for (const { artifact_id, code } of rejected) {
    if (!(code in errorCatalogue)) wrong.push(`${artifact_id} was rejected without a code`);
  }
  return wrong;
}

/** Repositories below `/private/` are those below `/open/`, for whoever shows a credential. */
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

/** A program that writes down where ssh was to go, and goes nowhere. */
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

/** The canaries sing when they should, and an honest layer is read, with its rights where it has some. */
async function checkTheatre(theatre: Theatre): Promise<string[]> {
  const wrong: string[] = [];
  const socket = connect(theatre.canary_port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'close');
  if (theatre.hits() !== 1) wrong.push('the canary does not count connections');
  const { snapshot } = await theatre.play(1_000_000, (stage) => {
    const random = seededRandom('honest');
    const trap = tricks['borrowedRights']?.({ ...stage, random });
    return { ...trap, layer: { ...trap?.layer, user_defined: false, owner: '' } };
  });
  if (snapshot?.packages[0]?.id !== 'good') wrong.push('an honest layer could not be read');
  if (!theatre.shown.every((header) => header.includes(basic()))) wrong.push('other credentials');
  if (theatre.shown.length === 0) wrong.push('credentials are not shown where they may be');
  return wrong;
}

function basic(): string {
  return Buffer.from(`registry:${PASSWORD}`).toString('base64');
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
