import type { IncomingMessage, RequestListener } from 'node:http';
import type { AccessClass } from '@catalog/contract/endpoints/endpoint';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { REQUEST_BODY_MAX_BYTES } from '@catalog/contract/limits';
import { authorize } from '@catalog/core/authorize';
import { readOnlyError } from '@catalog/core/read-only-error';
import type { Registry } from '../registry/registry.ts';
import { createBinder, type Binder } from './bind.ts';
import { createHostCheck, isCrossSiteWrite, type AllowedHosts } from './gate.ts';
import type { Identity } from './identify.ts';
import { createPathMatcher, type Match } from './match-path.ts';
import { readBody } from './read-body.ts';
import { RequestContext } from './request-context.ts';
import { traceIdOf } from './request-id.ts';
import type { Call, Route } from './route.ts';
import { send, type Exchange } from './send.ts';
import { sendError } from './send-error.ts';

/** What is known of a request when its answer is on the way. */
export interface AnsweredRequest {
  /** The name of the row; `unknown` for a path that has none. */
  endpoint: string;
  method: string;
  status: number;
  duration_ms: number;
  /** Of the body, as sent. */
  bytes: number;
  request_id: string;
  /** Where the request belongs to a trace that began elsewhere; else the trace has the request's id. */
  trace_id?: string;
  client_address: string;
  /** Of the error it was answered with; absent where it was answered. */
  code?: string;
}

/** An error whose cause is the registry's own. It was answered with nothing but the request id. */
export interface FailedRequest {
  endpoint: string;
  request_id: string;
  error: unknown;
}

export interface AppOptions {
  registry: Registry;
  routes: readonly Route[];
  identify(incoming: IncomingMessage): Identity | Promise<Identity>;
  allowed_hosts: AllowedHosts;
  clientAddress(incoming: IncomingMessage): string;
  /** 32 hex digits that no other request has. */
  newRequestId(): string;
  /** Milliseconds on a clock that only moves forward. */
  monotonicMs(): number;
  onAnswered(request: AnsweredRequest): void;
  onFailed(request: FailedRequest): void;
}

/** A route, ready to run. All have the same shape, which rows of the contract do not. */
interface Operation {
  route: Route;
  name: string;
  access: AccessClass;
  /** Refused in read-only mode. */
  writes: boolean;
  takesBody: boolean;
  binder: Binder;
}

/** The options, and what is made of them once. */
interface App extends AppOptions {
  isHostAllowed(host: string | undefined): boolean;
  availability: Exchange['availability'];
}

/** A request with all that was found out about it without asking anybody. */
interface Received extends Exchange {
  match: Match<Operation>;
  /** The query, still encoded, without its question mark. */
  search: string;
  trace_id: string;
}

/** The HTTP face of a registry: one function for each request, from the first check to the log line. */
export function createApp(options: AppOptions): RequestListener {
  const app: App = {
    ...options,
    isHostAllowed: createHostCheck(options.allowed_hosts),
    availability: () => options.registry.store.availability(),
  };
  const paths = createPathMatcher(options.routes.map(toOperation));
  return (incoming, outgoing) => {
    const { method = '', url = '' } = incoming;
    const question = url.indexOf('?');
    const request_id = app.newRequestId();
    void answer(app, {
      incoming,
      outgoing,
      method,
      request_id,
      availability: app.availability,
      match: paths.match(method, question === -1 ? url : url.slice(0, question)),
      search: question === -1 ? '' : url.slice(question + 1),
      trace_id: traceIdOf(headerOf(incoming, 'traceparent')) ?? request_id,
    });
  };
}

function toOperation(route: Route): Operation {
  const { name, access, writes, body } = route.endpoint;
  const binder = createBinder(route.endpoint);
  return { route, name, access, writes, takesBody: body !== undefined, binder };
}

/**
 * What is ready is not awaited: for an answer from memory every further turn of the queue costs more
 * than the checks do.
 */
async function answer(app: App, received: Received): Promise<void> {
  const started = app.monotonicMs();
  const { match, method, outgoing, request_id, trace_id } = received;
  let bytes = 0;
  let code: string | undefined;
  try {
    refuseForeignPages(app, received);
    if (match.kind !== 'operation') throw refusalOf(match, received);
    refuseWrites(match.operation, received);
    const identity = app.identify(received.incoming);
    const call = admit(
      app,
      received,
      match,
      identity instanceof Promise ? await identity : identity,
    );
    if (match.operation.takesBody) {
      call.body = await bindBody(match.operation, received.incoming);
    }
    const sent = send(received, await match.operation.route.handle(call));
    bytes = typeof sent === 'number' ? sent : await sent;
  } catch (error) {
    const sent = await sendError(received, error);
    ({ bytes, code } = sent);
    if (sent.unexpected) app.onFailed({ endpoint: nameOf(match), request_id, error });
  }
  const answered: AnsweredRequest = {
    endpoint: nameOf(match),
    method,
    status: outgoing.statusCode,
    duration_ms: Math.round((app.monotonicMs() - started) * 1000) / 1000,
    bytes,
    request_id,
    client_address: app.clientAddress(received.incoming),
  };
  if (trace_id !== request_id) answered.trace_id = trace_id;
  if (code !== undefined) answered.code = code;
  app.onAnswered(answered);
}

/** The call of a caller who may make it. No route decides for itself who may use it. */
function admit(
  { registry }: App,
  { incoming, outgoing, method, search, trace_id }: Received,
  { operation, params }: Extract<Match<Operation>, { kind: 'operation' }>,
  identity: Identity,
): Call {
  const { binder } = operation;
  const query = binder.bindQuery(search);
  const verdict = authorize(identity.caller, operation.access, {
    public_mode: registry.settings.public_mode,
    as_admin: query?.['as_admin'] === true,
  });
  if (verdict.kind === 'refused') throw new CatalogError(verdict.code, verdict.message);
  return {
    registry,
    context: new RequestContext(identity, trace_id, outgoing),
    method,
    header: (name) => headerOf(incoming, name),
    // The row's own schemas have made these; `defineRoute` gives them the row's types.
    params: binder.bindParams(params),
    query,
    body: undefined,
    readBytes: (limit) => readBody(incoming, limit),
  };
}

async function bindBody({ binder }: Operation, incoming: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(incoming, REQUEST_BODY_MAX_BYTES);
  return binder.bindBody(bytes, incoming.headers['content-type']);
}

function nameOf(match: Match<Operation>): string {
  return match.kind === 'operation' ? match.operation.name : 'unknown';
}

function refuseForeignPages(app: App, { method, incoming: { headers } }: Received): void {
  if (!app.isHostAllowed(headers.host)) {
    throw new CatalogError(
      'auth.csrf_invalid',
      'The request names a host this registry does not answer for.',
      { suggested_action: 'Use a loopback address, or add the name to `allowed_hosts`.' },
    );
  }
  if (isCrossSiteWrite(method, headers)) {
    throw new CatalogError('auth.csrf_invalid', 'A page of another site sent this request.');
  }
}

/** While the primary store is away nothing can be changed, whoever asks for it (OPS-17, OPS-18). */
function refuseWrites({ writes }: Operation, { availability }: Received): void {
  if (writes && availability().mode === 'read_only') throw readOnlyError();
}

function refusalOf(
  match: Exclude<Match<Operation>, { kind: 'operation' }>,
  { method, incoming }: Received,
): CatalogError {
  if (match.kind === 'none') {
    const [path = ''] = (incoming.url ?? '').split('?', 1);
    return new CatalogError('registry.not_found', `Nothing is served at ${path.slice(0, 200)}.`);
  }
  const allow = [...match.allow];
  const message = `${method} is not supported here; ${allow.join(' and ')} ${allow.length > 1 ? 'are' : 'is'}.`;
  return match.endpoint.errors.includes('registry.method_not_allowed')
    ? new CatalogError('registry.method_not_allowed', message, { details: { allow } })
    : new CatalogError('registry.invalid_argument', message, {
        details: { argument: 'method', constraint: 'method', allow },
      });
}

function headerOf(incoming: IncomingMessage, name: string): string | undefined {
  const value = incoming.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
