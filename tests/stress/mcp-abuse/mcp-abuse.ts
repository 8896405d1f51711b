import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  summarizeLines,
  measurementOfFailures,
  resultOfParts,
  type Measurement,
} from '../../../bench/benchmark.ts';
import { startLines, type LineProcess } from '../../../bench/mcp/line-process.ts';
import {
  PROTOCOL_REVISIONS,
  opening,
  request,
  toLine,
  type ProtocolRevision,
} from '../../../bench/mcp/requests.ts';
import { mcpServerCommand, plainEnvironment } from '../../../bench/program.ts';
import { seededRandom, type SeededRandom } from '../../../tools/seeded-random.ts';
import { singleRun } from '../single-run.ts';
import { hostileMessages } from './hostile-messages.ts';
import { openJudge, type AnswerJudge } from './judge-answers.ts';

/** Number of messages per process; the connection is opened before or after the abuse. */
const PER_PROCESS = 1_000;
const MESSAGES_BETWEEN_CHECKS = 100;
const TIMEOUT_MS = 60_000;

export const mcpAbuse = singleRun({
  name: 'mcp-abuse',
  summary:
    'Sends random and hostile JSON-RPC to `catalog-mcp`, for protocol revisions 2025-11-25 and 2026-07-28. The server must not crash, send a response without a request, or write anything but the protocol to stdout, and must keep serving a valid client.',
  n: 20_000,
  small_n: 400,
  run: async ({ n, seed, folder }) => {
    const home = join(folder, 'home');
    mkdirSync(home);
    const parts: Measurement[] = [];
    const notes: string[] = [`seed ${seed}; the registry is unreachable`];
    for (const revision of PROTOCOL_REVISIONS) {
      const random = seededRandom(`mcp-abuse ${revision} ${seed}`);
      const wrong: string[] = [];
      for (let sent = 0; sent < n; sent += PER_PROCESS) {
        wrong.push(...(await abuseOne(revision, Math.min(PER_PROCESS, n - sent), random, home)));
      }
      if (wrong.length > 0) notes.push(`${revision}: ${summarizeLines(wrong)}`);
      parts.push(measurementOfFailures(`mcp-abuse ${revision}`, n, wrong.length));
    }
    return resultOfParts('mcp-abuse', parts, notes);
  },
});

async function abuseOne(
  revision: ProtocolRevision,
  n: number,
  random: SeededRandom,
  home: string,
): Promise<string[]> {
  const env = { ...plainEnvironment(home), CATALOG_REGISTRY: 'http://127.0.0.1:9' };
  const server = startLines(mcpServerCommand(), { cwd: home, env });
  const judge = openJudge();
  const wrong: string[] = [];
  const seen = watchAnswers(server, judge, wrong);
  const nextMessage = hostileMessages(revision, random);
  if (random.int(2) === 0) await server.write(toLine(allowed(opening(revision, 'open'), judge)));
  for (let sent = 0; sent < n && wrong.length === 0; sent += 1) {
    const { bytes, answerable } = nextMessage();
    for (const id of answerable) judge.allow(id);
    await writeInPieces(server, bytes, random);
    if (sent % MESSAGES_BETWEEN_CHECKS !== MESSAGES_BETWEEN_CHECKS - 1) continue;
    const sign = `sign-${sent}`;
    await server.write(toLine(allowed(request(revision, sign, 'tools/list'), judge)));
    if (!(await withTimeout(seen.answerTo(sign)))) wrong.push(`no answer to ${sign}`);
  }
  const ended = await withTimeout(server.end());
  if (ended === undefined) process.kill(server.pid, 'SIGKILL');
  await seen.end;
  if (ended !== 0) wrong.push(`ended with ${String(ended)}: ${server.stderr().slice(-500)}`);
  const failure = /internal error.*(?:\n +at .*){0,8}/.exec(server.stderr())?.[0];
  if (failure !== undefined) wrong.push(failure);
  return wrong.map((line) => `${revision}: ${line}`);
}

function allowed<Message extends { id: string | number }>(
  message: Message,
  judge: AnswerJudge,
): Message {
  judge.allow(message.id);
  return message;
}

/** Checks all output of the server, and resolves waiting requests. */
function watchAnswers(server: LineProcess, judge: AnswerJudge, wrong: string[]) {
  const waiting = new Map<string, (found: true) => void>();
  const came = new Set<string>();
  async function read(): Promise<void> {
    for (let line = await server.nextLine(); line !== undefined; line = await server.nextLine()) {
      const problem = judge.judge(line);
      if (problem !== undefined) wrong.push(problem);
      const id = /"id":"(sign-\d+)"/.exec(line)?.[1];
      if (id === undefined) continue;
      came.add(id);
      waiting.get(id)?.(true);
    }
  }
  return {
    end: read(),
    answerTo: (id: string): Promise<true> =>
      new Promise((resolve) => (came.has(id) ? resolve(true) : waiting.set(id, resolve))),
  };
}

async function withTimeout<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const given = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, given]);
  } finally {
    clearTimeout(timer);
  }
}

/** Splits messages, because the protocol does not guarantee that a message arrives in one chunk. */
async function writeInPieces(
  server: LineProcess,
  bytes: Buffer,
  random: SeededRandom,
): Promise<void> {
  const cut = random.int(4) === 0 ? random.int(bytes.length) : 0;
  await server.write(bytes.subarray(0, cut));
  await server.write(bytes.subarray(cut));
}
