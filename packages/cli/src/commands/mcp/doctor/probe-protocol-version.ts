import { VERSION } from '@catalog/contract/version';
import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { now } from '../../../clock.ts';
import { count } from '../../../output/text.ts';
import type { McpConnection, Reply } from './conversation.ts';
import type { ProtocolProbe, Problem, ToolResult } from './examination.ts';
import { listOf, wordOf } from './json-values.ts';

/** Newest protocol revision with a handshake, and newest without. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
type Revision = (typeof REVISIONS)[number];

const TOOLS = ['load_domain', 'search_domains', 'search_artifacts', 'load_artifact'];
const HOST = { name: 'catalog-mcp-doctor', version: VERSION };

/** Artifact types with executable content, which is written only after approval. */
const EXECUTABLE_TYPES: ReadonlySet<Json | undefined> = new Set(['hook', 'mcp-server']);

export async function probeProtocolVersion(
  open: () => McpConnection,
  revision: Revision,
): Promise<ProtocolProbe> {
  const walk: ProtocolProbe = { revision, start_ms: undefined, tools: [], problems: [] };
  const started = now();
  const conversation = open();
  const ask = (method: string, params: JsonObject = {}): Promise<Reply> =>
    conversation.ask(method, revision === '2026-07-28' ? { ...params, _meta: META } : params);
  try {
    const opened = await (revision === '2026-07-28'
      ? ask('server/discover')
      : ask('initialize', { protocolVersion: revision, capabilities: {}, clientInfo: HOST }));
    if (opened.kind !== 'result') {
      walk.problems.push(notStarted(opened, conversation.stderr()));
      return walk;
    }
    walk.start_ms = now() - started;
    if (revision !== '2026-07-28') conversation.tell('notifications/initialized');
    const listed = await ask('tools/list');
    const missing = TOOLS.filter((tool) => !namesOf(listed).includes(tool));
    if (missing.length > 0) walk.problems.push(notOffered(missing));
    else walk.tools = await callTools(ask);
    return walk;
  } finally {
    await conversation.close();
    const stray = conversation.stray();
    if (stray !== undefined) walk.problems.push(unexpectedLineProblem(stray));
  }
}

/** Member of every request in the protocol revision without a handshake. */
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': HOST,
  'io.modelcontextprotocol/clientCapabilities': {},
};

type SendRequest = (method: string, params?: JsonObject) => Promise<Reply>;

async function callTools(ask: SendRequest): Promise<ToolResult[]> {
  let query = '';
  let found: JsonObject[] = [];
  async function call(
    tool: string,
    args: JsonObject,
    describeAnswer: (answer: JsonObject) => string,
  ): Promise<ToolResult> {
    const started = now();
    const reply = await ask('tools/call', { name: tool, arguments: args });
    return { tool, ms: now() - started, ...readAnswer(tool, reply, describeAnswer) };
  }
  const answers = [
    await call('load_domain', {}, ({ subdomains }) => {
      const [first] = listOf(subdomains);
      query = isJsonObject(first) ? wordOf(first['path']) : '';
      return count(listOf(subdomains).length, 'domain');
    }),
    await call('search_domains', { query }, ({ domains }) =>
      count(listOf(domains).length, 'domain'),
    ),
    await call('search_artifacts', { top_k: 50 }, ({ results, total_matched }) => {
      found = listOf(results).filter(isJsonObject);
      return count(Number(total_matched), 'artifact');
    }),
  ];
  const id = found.find(({ type }) => !EXECUTABLE_TYPES.has(type))?.['id'];
  if (typeof id !== 'string') {
    return [
      ...answers,
      { tool: 'load_artifact', ms: undefined, answer: 'nothing to load', offline: false },
    ];
  }
  const loaded = await call('load_artifact', { id }, ({ version, materialized_at, error }) => {
    if (isJsonObject(error))
      return `${id} ${wordOf(version)}, content only: it needs your approval`;
    return `${id} ${wordOf(version)}, ${count(listOf(materialized_at).length, 'file')} written for a test and removed`;
  });
  return [...answers, loaded];
}

function readAnswer(
  tool: string,
  reply: Reply,
  describeAnswer: (answer: JsonObject) => string,
): Omit<ToolResult, 'tool' | 'ms'> {
  if (reply.kind !== 'result') {
    const reason = reply.kind === 'error' ? reply.message : reply.reason;
    const what = `${tool} failed: ${reason}.`;
    return { answer: 'no response', offline: false, problem: { what, next: LOOK_AT_LOG } };
  }
  const { structuredContent: content, isError } = reply.result;
  const answer = isJsonObject(content) ? content : {};
  const offline = answer['status'] === 'offline';
  if (isError !== true) return { answer: describeAnswer(answer), offline };
  const { code, message, suggested_action, details } = answer;
  if (code === 'auth.sign_in_pending') {
    const registry = isJsonObject(details) ? wordOf(details['registry']) : '';
    return { answer: code, code, offline, problem: notSignedIn(registry) };
  }
  return {
    answer: wordOf(code),
    code: wordOf(code),
    offline,
    problem: { what: `${tool}: ${wordOf(message)}`, next: wordOf(suggested_action) },
  };
}

/**
 * Reports a missing sign-in. A sign-in that the server waits for ends with the server; one of `catalog login` stays.
 */
function notSignedIn(registry: string): Problem {
  return {
    what: `${registry} requires a sign-in, and you are not signed in.`,
    next: `Run \`catalog login --registry ${registry}\`. An agent also shows the sign-in URL.`,
  };
}

const LOOK_AT_LOG = "Check the output of catalog-mcp in the harness's log.";

function notStarted(reply: Exclude<Reply, { kind: 'result' }>, stderr: string): Problem {
  const [, refusal, next] = /error: (.*)\n code: .*\n next: (.*)\n/.exec(stderr) ?? [];
  if (refusal !== undefined && next !== undefined) {
    return { what: `catalog-mcp does not start: ${refusal}`, next };
  }
  if (reply.kind === 'error') {
    const { suggested_action = LOOK_AT_LOG } = reply.data;
    return {
      what: `catalog-mcp returned an error: ${reply.message}`,
      next: wordOf(suggested_action),
    };
  }
  const printed = stderr.trim().split('\n').at(-1) ?? '';
  return {
    what: `catalog-mcp failed: ${reply.reason}${printed === '' ? '' : ` (${printed})`}.`,
    next: 'Run the command of the entry by hand and check its output.',
  };
}

function notOffered(missing: readonly string[]): Problem {
  return {
    what: `The program does not provide ${missing.join(', ')}: it is not catalog-mcp, or an old version.`,
    next: 'Correct `command` in the entry, or reinstall catalog.',
  };
}

function unexpectedLineProblem(line: string): Problem {
  return {
    what: `Stdout contains a line that is not a protocol message: ${line.slice(0, 80)}`,
    next: 'Start catalog-mcp directly, without a shell or wrapper that prints.',
  };
}

function namesOf(reply: Reply): Json[] {
  const tools = reply.kind === 'result' ? listOf(reply.result['tools']) : [];
  return tools.filter(isJsonObject).map(({ name }) => name ?? null);
}
