import { Agent, request } from 'node:http';
import { nameOf } from './cells.ts';
import type { Credentials } from './credentials.ts';
import { layerClasses, type CallerKind, type LayerClass, type Mode } from './dimensions.ts';
import { artifactIn, CANARY, HOST_PATH, layerId, RECEIVER_SECRET } from './fixture.ts';
import { expectedOf, isVisible, maySeeHostPaths } from './oracle.ts';
import { requestOf, type Addressed, type WireRequest } from './requests.ts';
import type { Cell, Outcome } from './decision-rule.ts';
import { Watch, type Served } from './serve-mode.ts';

export interface Difference {
  cell: string;
  problems: string[];
  request: WireRequest;
  answer: string;
}

interface Answer {
  status: number;
  text: string;
  body: unknown;
}

/** Number of read-only cells between two checks for changes. */
const READS_BETWEEN_CHECKS = 100;
const CHANGING = new Set([
  'register_layer',
  'update_layer',
  'unregister_layer',
  'restore_layer',
  'reingest_layer',
  'reorder_layers',
  'ingest_webhook',
  'grant_admin',
  'revoke_admin',
  'put_freeze_windows',
  'reembed',
]);

/** Sends the cells of one mode sequentially to its registry, and returns the differences. */
export async function playCells(
  served: Served,
  credentials: Credentials,
  cells: readonly Cell[],
  /** Maximum number of differences; stops when it is reached. */
  maxDifferences = Infinity,
): Promise<Difference[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const watches = {
    home: new Watch(served.registry, served.tenants.home),
    abroad: new Watch(served.registry, served.tenants.abroad),
  };
  for (const watch of Object.values(watches)) await watch.begin();
  const to = await addressed(served);
  const differences: Difference[] = [];
  let reads = 0;
  for (const cell of cells) {
    if (differences.length >= maxDifferences) break;
    const wire = requestOf(cell, to);
    await prepare(cell, served);
    const headers = { ...wire.headers, ...credentials.headersOf(cell.mode, cell.caller) };
    const answer = await exchange(served.url, { ...wire, headers }, agent);
    const expected = expectedOf(cell);
    const problems = [...compare(cell, expected, answer), ...findLeaks(cell, wire, answer)];
    const looks = CHANGING.has(cell.route) || cell.variant === 'as-admin';
    reads = looks ? 0 : reads + 1;
    if (looks || reads === READS_BETWEEN_CHECKS) {
      reads = 0;
      problems.push(...(await findEffects(cell, expected, watches)));
    }
    if (problems.length > 0) {
      differences.push({ cell: nameOf(cell), problems, request: wire, answer: answer.text });
    }
  }
  agent.destroy();
  return differences;
}

async function addressed({ registry, tenants }: Served): Promise<Addressed> {
  const jobs = new Map<string, string>();
  for (const layer of layerClasses) {
    const id = layerId('read', layer);
    const [job] = await registry.store.jobs.list(tenants.home, id, 1);
    if (job !== undefined) jobs.set(id, job.job);
  }
  const run = registry.newId();
  let count = 0;
  return {
    jobs,
    fresh() {
      count += 1;
      return `fresh-${run}-${count}`;
    },
  };
}

async function prepare(cell: Cell, { registry, tenants }: Served): Promise<void> {
  if (cell.route !== 'revoke_admin' || cell.variant !== 'plain') return;
  const abroad = isAbroad(cell);
  await registry.store.transaction(async ({ grants }) => {
    const grant = { user_id: 'adele-the-second', granted_at: '2026-01-01T00:00:00.000Z' };
    await grants.grant(abroad ? tenants.abroad : tenants.home, { ...grant, granted_by: 'fixture' });
  });
}

function isAbroad({ mode, caller }: Cell): boolean {
  return mode.tenancy === 'multi' && caller.organization === 'abroad';
}

interface Watches {
  home: Watch;
  abroad: Watch;
}

/**
 * Checks that a rejected request has no effect, and that a change causes one audit record. Reverts
 * the change.
 */
async function findEffects(cell: Cell, expected: Outcome, watches: Watches): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, watch] of Object.entries(watches)) {
    const { records, revision, published } = await watch.changes();
    if (revision || published) await watch.reset();
    const own = name === (isAbroad(cell) ? 'abroad' : 'home');
    const wanted = own ? (expected.audited ?? 0) : 0;
    if (records !== wanted) problems.push(`${records} audit records in ${name}, not ${wanted}`);
    if (cell.route === 'revoke_admin') continue;
    if (expected.status >= 400 && (revision || published)) problems.push(`changed ${name}`);
  }
  return problems;
}

function compare(cell: Cell, expected: Outcome, answer: Answer): string[] {
  const problems: string[] = [];
  if (answer.status !== expected.status) {
    problems.push(`status ${answer.status}, not ${expected.status} ${expected.code ?? ''}`);
  }
  const code = textAt(answer.body, 'code') ?? scimCode(answer.body);
  if (answer.text !== '' && answer.status >= 400 && code !== expected.code) {
    problems.push(`code ${code}, not ${expected.code}`);
  }
  const constraint = textAt(memberOf(answer.body, 'details'), 'constraint');
  const isAuthorization = expected.code === 'auth.forbidden' || expected.constraint !== undefined;
  if (isAuthorization && constraint !== expected.constraint) {
    problems.push(`constraint ${constraint}, not ${expected.constraint}`);
  }
  if (memberOf(answer.body, 'retryable') === true) problems.push('says that asking again may help');
  if (expected.constraint === 'admin_only_fields') problems.push(...checkNamed(cell, answer));
  if (problems.length > 0 || expected.status >= 300) return problems;
  if (cell.layer !== undefined && expected.shows !== undefined) {
    const shows = isShown(cell, cell.layer, answer);
    if (shows !== expected.shows) problems.push(shows ? 'shows it' : 'does not show it');
  }
  if (expected.makes !== undefined) problems.push(...checkMade(cell, expected, answer));
  if (expected.manages !== undefined) problems.push(...checkPosture(cell, expected, answer));
  if (/"reason":""/.test(answer.text)) problems.push('gives no reason');
  return problems;
}

function checkNamed({ registration }: Cell, { body }: Answer): string[] {
  const message = textAt(body, 'message') ?? '';
  return Object.keys(registration?.fields ?? {})
    .filter((field) => !message.includes(`\`${field}\``))
    .map((field) => `does not name ${field}`);
}

function checkPosture({ caller }: Cell, { subject, manages }: Outcome, { body }: Answer): string[] {
  const named = textAt(body, 'subject');
  const managing = memberOf(memberOf(body, 'layer_capabilities'), 'manage_any_layer');
  return [
    ...(named === (subject === true ? caller.subject : undefined) ? [] : [`subject ${named}`]),
    ...(managing === manages ? [] : [`manages: ${String(managing)}`]),
  ];
}

function scimCode(body: unknown): string | undefined {
  return /\(([a-z]+\.[a-z_]+)\)/.exec(textAt(body, 'detail') ?? '')?.[1];
}

function isShown({ route, variant }: Cell, layer: LayerClass, { body, text }: Answer): boolean {
  const id = artifactIn(layer);
  switch (route) {
    case 'batch_load':
      return Array.isArray(body) && textAt(body[0], 'status') === 'ok';
    case 'dependents':
      return text.includes(`"from":"at-${layer.name}/child"`);
    case 'scope_preview':
      return text.includes(`"${layerId('read', layer)}"`);
    case 'list_layers':
    case 'list_deleted_layers':
      return text.includes(`"id":"${layerId('read', layer)}"`);
    case 'search_domains':
    case 'load_domain':
    case 'domain_analyze':
      return text.includes(`"at-${layer.name}"`);
    case 'get_ingest':
      return text.includes(`"${layerId('read', layer)}"`);
    case 'recent_feed':
      return text.includes(`<title>${id}`);
    default:
      return STATUS_IS_SUFFICIENT.has(route) || variant === 'head' || text.includes(`"${id}"`);
  }
}

/**
 * Status 200 is sufficient for these: a layer without ingests has an empty list, and objects and Markdown are plain
 * content.
 */
const STATUS_IS_SUFFICIENT = new Set(['objects', 'list_ingests', 'artifact_markdown']);

function checkMade({ caller }: Cell, { makes }: Outcome, { body }: Answer): string[] {
  const layer = memberOf(body, 'layer');
  const own = memberOf(layer, 'user_defined') === true && textAt(layer, 'owner') === caller.subject;
  const shared = memberOf(layer, 'user_defined') === false;
  return (makes === 'own' ? own : shared) ? [] : [`made ${JSON.stringify(layer)}, not ${makes}`];
}

/** Lists names that this caller must never receive, except those in its own request. */
function findLeaks(cell: Cell, wire: WireRequest, { status, text }: Answer): string[] {
  const leaks: string[] = [];
  const { mode, caller } = cell;
  const home = !isAbroad(cell);
  if (home && mode.tenancy === 'multi' && !SEES_TENANTS.has(cell.route) && text.includes(CANARY)) {
    leaks.push('names the other tenant');
  }
  if (text.includes(RECEIVER_SECRET)) leaks.push('names the secret of a receiver');
  const isPathLeaked = status >= 400 || !maySeeHostPaths(cell);
  if (isPathLeaked && text.includes(HOST_PATH)) leaks.push('names a path of the host');
  if (SEES_ALL_LAYERS.has(cell.route)) return leaks;
  const isAboutLayers = /layer|ingest/.test(cell.route);
  for (const hidden of hiddenFrom(mode, caller, isAboutLayers, cell.variant === 'as-admin')) {
    const names = isAboutLayers
      ? [`"read-${hidden.name}"`, `"write-${hidden.name}"`]
      : [`at-${hidden.name}/`, `"read-${hidden.name}"`];
    const sent = `${wire.path} ${wire.body ?? ''}`;
    const isLeaked = (name: string): boolean => text.includes(name) && !sent.includes(name);
    if (hidden.name !== cell.layer?.name && names.some(isLeaked)) {
      leaks.push(`names ${hidden.name}`);
    }
  }
  return leaks;
}

/** Routes that return layers regardless of visibility; their access class restricts the callers. */
const SEES_ALL_LAYERS = new Set([
  'ingest_webhook',
  'show_effective',
  'list_audit',
  'list_reads',
  'access_review',
]);
const SEES_TENANTS = new Set(['list_tenants', 'create_tenant', 'update_tenant']);
const hiddenLayers = new Map<string, LayerClass[]>();

function hiddenFrom(
  mode: Mode,
  caller: CallerKind,
  lists: boolean,
  override: boolean,
): LayerClass[] {
  const key = `${mode.name} ${caller.name} ${lists} ${override}`;
  const before = hiddenLayers.get(key);
  if (before !== undefined) return before;
  const hidden = layerClasses.filter((layer) => {
    // Deleted layers have a separate list.
    if (lists && layer.state === 'deleted') return false;
    const route = lists ? 'list_layers' : 'load_artifact';
    return !isVisible({ mode, caller, route, variant: override ? 'as-admin' : '', layer });
  });
  hiddenLayers.set(key, hidden);
  return hidden;
}

function exchange(origin: string, wire: WireRequest, agent: Agent): Promise<Answer> {
  const { method, path, headers, body } = wire;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${origin}${path}`,
      {
        method,
        agent: path.startsWith('/v1/events') ? false : agent,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (incoming) => {
        const { statusCode: status = 0 } = incoming;
        if (incoming.headers['content-type'] === 'application/x-ndjson') {
          incoming.destroy();
          resolve({ status, text: '', body: undefined });
          return;
        }
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => (text += chunk));
        incoming.on('end', () => resolve({ status, text, body: parse(text) }));
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function textAt(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}
