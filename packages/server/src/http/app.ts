import type { IncomingMessage, RequestListener } from 'node:http';
import type { AccessClass } from '@catalog/contract/endpoints/endpoint';
import { resourceMetadata } from '@catalog/contract/endpoints/browser';
import { healthz, readyz } from '@catalog/contract/endpoints/operations';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { REQUEST_BODY_MAX_BYTES } from '@catalog/contract/limits';
import { authorize, requireAuthorized } from '@catalog/core/authorize';
import type { IdentityVerdict } from '@catalog/core/identity/caller';
import { NO_TENANT, ONLY_TENANT } from '@catalog/core/ports/tenant';
import { SCIM_PATH } from '@catalog/core/scim/discovery-documents';
import { readOnlyError } from '@catalog/core/read-only-error';
import { resolveCaller, type ResolvedCaller } from '../registry/access/resolve-caller.ts';
import type { Registry } from '../registry/registry.ts';
import { createBinder, type Binder } from './bind.ts';
import {
  createHostCheck,
  isCrossSiteWrite,
  hasMultipleHosts,
  type AllowedHosts,
} from './check-origin.ts';
import { createPathMatcher, type Match } from './match-path.ts';
import { artifactReader, type ArtifactReader, type NamedArtifacts } from './named-artifacts.ts';
import { readBody } from './read-body.ts';
import { RequestContext } from './request-context.ts';
import type { RequestsInProgress } from './requests-in-progress.ts';
import type { Call, Route } from './route.ts';
import { send, type Exchange } from './send.ts';
import { sendError } from './send-error.ts';
import { readTraceparent } from './trace-context.ts';
import { traceRequest } from './trace-request.ts';

/** A request whose response was sent or whose processing failed. */
export interface CompletedRequest {
  /** Name of the endpoint; `unknown` if no endpoint has the path. */
  endpoint: string;
  method: string;
  status: number;
  duration_ms: number;
  /** Size of the body as sent, after compression. */
  bytes: number;
  request_id: string;
  /** Trace id; absent if it equals the request id and traces are not exported. */
  trace_id?: string;
  client_address: string;
  code?: string;
  artifact?: string;
  artifacts?: readonly string[];
}

/** A request with an internal error. The response contained only the request id. */
export interface FailedRequest {
  endpoint: string;
  request_id: string;
  trace_id?: string;
  error: unknown;
}

/** Dependencies and callbacks of the HTTP application. */
export interface AppOptions {
  registry: Registry;
  routes: readonly Route[];
  identify: (incoming: IncomingMessage) => IdentityVerdict | Promise<IdentityVerdict>;
  allowed_hosts: AllowedHosts;
  clientAddress(incoming: IncomingMessage): string;
  /** Returns 32 hex digits, unique per request. */
  newRequestId(): string;
  monotonicMs(): number;
  /** Called after a response; the subject is undefined if the caller was not identified. */
  onAnswered(request: CompletedRequest, subject: string | undefined): void;
  onFailed(request: FailedRequest): void;
  in_progress: RequestsInProgress;
}

/** A prepared route. All operations have the same object shape, so that property access is fast. */
interface Operation {
  route: Route;
  name: string;
  access: AccessClass;
  /** True for operations that read-only mode rejects. */
  writes: boolean;
  takesBody: boolean;
  binder: Binder;
  namedArtifacts: ArtifactReader | undefined;
}

interface App extends AppOptions {
  isHostAllowed(host: string | undefined): boolean;
  availability: Exchange['availability'];
  resource_metadata: Exchange['resource_metadata'];
}

interface MatchedRequest extends Exchange {
  match: Match<Operation>;
  search: string;
  trace_id: string;
}

/**
 * Creates the request listener of a registry: routing, authentication, validation, response and
 * logging.
 */
export function createApp(options: AppOptions): RequestListener {
  const app: App = {
    ...options,
    isHostAllowed: createHostCheck(options.allowed_hosts),
    availability: () => options.registry.store.availability(),
    resource_metadata: resourceMetadataOf(options),
  };
  const paths = createPathMatcher(options.routes.map(toOperation));
  const formOf = errorForms(options.routes);
  return (incoming, outgoing) => {
    const { method = '', url = '' } = incoming;
    const question = url.indexOf('?');
    const path = question === -1 ? url : url.slice(0, question);
    const request_id = app.newRequestId();
    const remote = readTraceparent(headerOf(incoming, 'traceparent'));
    const received: MatchedRequest = {
      incoming,
      outgoing,
      method,
      request_id,
      availability: app.availability,
      resource_metadata: app.resource_metadata,
      error_form: formOf(path),
      match: paths.match(method, path),
      search: question === -1 ? '' : url.slice(question + 1),
      trace_id: remote?.trace_id ?? request_id,
    };
    const { tracing } = options.registry;
    if (tracing === undefined) {
      void handleRequest(app, received);
      return;
    }
    const trace_state = remote && headerOf(incoming, 'tracestate');
    const origin = { trace_id: received.trace_id, parent_id: remote?.parent_id, trace_state };
    const target = { method, route: pathOf(received.match) };
    void traceRequest(tracing, origin, target, () => handleRequest(app, received));
  };
}

function resourceMetadataOf({ routes, registry }: AppOptions): Exchange['resource_metadata'] {
  const row = routes.find(({ endpoint }) => endpoint.name === resourceMetadata.name)?.endpoint;
  return row && (() => registry.settings.public_url + row.path);
}

function toOperation(route: Route): Operation {
  const { name, access, writes, body } = route.endpoint;
  const binder = createBinder(route.endpoint);
  // The SCIM receiver reads its body itself, after it has checked the token.
  const takesBody = body !== undefined && access !== 'scim';
  const namedArtifacts = artifactReader(route.endpoint);
  return { route, name, access, writes, takesBody, binder, namedArtifacts };
}

/** Returns the error format of a path. Below the SCIM path every error has the SCIM format, even for unknown paths. */
function errorForms(routes: readonly Route[]): (path: string) => Exchange['error_form'] {
  const isMounted = routes.some(({ endpoint }) => endpoint.access === 'scim');
  return (path) => (isMounted && path.startsWith(`${SCIM_PATH}/`) ? 'scim' : undefined);
}

/**
 * Avoids `await` on values that are already available: for cached responses, an extra microtask
 * costs more than the checks.
 */
async function handleRequest(app: App, received: MatchedRequest): Promise<CompletedRequest> {
  const started = app.monotonicMs();
  const { match, method, outgoing, request_id, trace_id } = received;
  const has_trace_id = trace_id !== request_id || app.registry.tracing !== undefined;
  const ids = has_trace_id ? { request_id, trace_id } : { request_id };
  let bytes = 0;
  let code: string | undefined;
  let who: ResolvedCaller | undefined;
  let named: NamedArtifacts | undefined;
  app.in_progress.begin(nameOf(match));
  try {
    rejectCrossSite(app, received);
    if (match.kind !== 'operation') throw refusalOf(match, received);
    rejectWrites(match.operation, received);
    rejectTenantManagement(app, match.operation);
    who = await identify(app, match.operation, received);
    let call = admit(app, received, match, who);
    if (match.operation.takesBody) {
      const body = await bindBody(match.operation, received.incoming);
      // Access is decided again after the body has arrived, which can take long (T24).
      who = await identify(app, match.operation, received);
      call = admit(app, received, match, who);
      call.body = body;
    }
    named = match.operation.namedArtifacts?.(call);
    const sent = send(received, await match.operation.route.handle(call));
    bytes = typeof sent === 'number' ? sent : await sent;
  } catch (error) {
    noteRefusal(app, received, who, error);
    const sent = await sendError(received, error);
    ({ bytes, code } = sent);
    if (sent.unexpected) app.onFailed({ endpoint: nameOf(match), ...ids, error });
  } finally {
    app.in_progress.end(nameOf(match));
  }
  const answered: CompletedRequest = {
    endpoint: nameOf(match),
    method,
    status: outgoing.statusCode,
    duration_ms: Math.round((app.monotonicMs() - started) * 1000) / 1000,
    bytes,
    ...ids,
    client_address: app.clientAddress(received.incoming),
  };
  if (code !== undefined) answered.code = code;
  if (named !== undefined) Object.assign(answered, named);
  app.onAnswered(answered, who?.caller.kind === 'subject' ? who.caller.subject : undefined);
  return answered;
}

/** Records a refused attempt to use a role that the caller does not have. */
function noteRefusal(
  { registry }: App,
  { match, search }: MatchedRequest,
  who: ResolvedCaller | undefined,
  error: unknown,
): void {
  if (who === undefined || match.kind !== 'operation' || !(error instanceof CatalogError)) return;
  if (!error.code.startsWith('auth.')) return;
  const { access, name } = match.operation;
  const needsRole = access === 'admin' || access === 'operator' || search.includes('as_admin');
  if (!needsRole) return;
  // Without a valid credential, the tenant is known only if there is just one.
  const isUnknown = who.tenant === NO_TENANT;
  if (isUnknown && registry.settings.multi_tenant) return;
  const tenant = isUnknown ? ONLY_TENANT : who.tenant;
  registry.read_log.noteRefusal({ tenant, caller: who.caller }, name);
}

const NO_CREDENTIAL: IdentityVerdict = { kind: 'anonymous' };

/** Routes with access `none` or `scim` ignore credentials. */
async function identify(
  { registry, identify: read }: App,
  { access }: Operation,
  { incoming }: MatchedRequest,
): Promise<ResolvedCaller> {
  const isUnauthenticated = access === 'none' || access === 'scim';
  const verdict = isUnauthenticated ? NO_CREDENTIAL : read(incoming);
  return resolveCaller(registry, verdict instanceof Promise ? await verdict : verdict, access);
}

/** Checks access. Routes do not check it themselves. */
function admit(
  app: App,
  received: MatchedRequest,
  { operation, params }: Extract<Match<Operation>, { kind: 'operation' }>,
  who: ResolvedCaller,
): Call {
  const { registry } = app;
  const { incoming, outgoing, method, search, trace_id } = received;
  const { access, writes, binder } = operation;
  const { public_mode, open_writes } = registry.settings;
  requireAuthorized(who.caller, 'use', { access, writes, public_mode, open_writes });
  const query = binder.bindQuery(search);
  if (query?.['as_admin'] === true) requireAuthorized(who.caller, 'see_all', { public_mode });
  return {
    registry,
    context: new RequestContext(who, trace_id, outgoing),
    method,
    header: (name) => headerOf(incoming, name),
    clientAddress: () => app.clientAddress(incoming),
    // The schemas of the endpoint validated these values, and `defineRoute` assigns their types.
    params: binder.bindParams(params),
    query,
    search,
    body: undefined,
    readBytes: (limit) => readBody(incoming, limit),
    async isStillAdmitted() {
      const { tenant, caller } = await identify(app, operation, received);
      const verdict = authorize(caller, 'use', { access, writes, public_mode, open_writes });
      return verdict.kind === 'admitted' && tenant === who.tenant;
    },
  };
}

async function bindBody({ binder }: Operation, incoming: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(incoming, REQUEST_BODY_MAX_BYTES);
  return binder.bindBody(bytes, incoming.headers['content-type']);
}

function nameOf(match: Match<Operation>): string {
  return match.kind === 'operation' ? match.operation.name : 'unknown';
}

function pathOf(match: Match<Operation>): string | undefined {
  if (match.kind === 'none') return undefined;
  return match.kind === 'operation' ? match.operation.route.endpoint.path : match.endpoint.path;
}

/** Endpoints that load balancers request under any host name; they show nothing of the catalog (SPEC-92). */
const PROBES: ReadonlySet<string> = new Set([healthz.name, readyz.name]);

function rejectCrossSite(app: App, { method, incoming, match }: MatchedRequest): void {
  const { headers, rawHeaders } = incoming;
  if (hasMultipleHosts(rawHeaders)) {
    throw new CatalogError(
      'registry.invalid_argument',
      'The request has more than one Host header.',
      {
        details: { argument: 'host', constraint: 'repeated' },
      },
    );
  }
  if (!PROBES.has(nameOf(match)) && !app.isHostAllowed(headers.host)) {
    throw new CatalogError(
      'auth.csrf_invalid',
      'The Host header names a host that this registry does not serve.',
      {
        suggested_action:
          'Use an IP address instead of the name, or ask an operator to add the name to `allowed_hosts`.',
      },
    );
  }
  if (isCrossSiteWrite(method, headers)) {
    throw new CatalogError('auth.csrf_invalid', 'The request came from a page of another site.');
  }
}

/** Rejects tenant management on a registry with a single tenant, for every role (TENANT-14). */
function rejectTenantManagement({ registry }: App, { access }: Operation): void {
  if (access !== 'operator' || registry.settings.multi_tenant) return;
  throw new CatalogError(
    'registry.tenant_management_unavailable',
    'This registry has a single tenant, so tenants cannot be managed.',
  );
}

/** Rejects writes while the primary store is unavailable (OPS-17, OPS-18). */
function rejectWrites({ writes }: Operation, { availability }: MatchedRequest): void {
  if (writes && availability().mode === 'read_only') throw readOnlyError();
}

function refusalOf(
  match: Exclude<Match<Operation>, { kind: 'operation' }>,
  { method, incoming }: MatchedRequest,
): CatalogError {
  if (match.kind === 'none') {
    const [path = ''] = (incoming.url ?? '').split('?', 1);
    return new CatalogError('registry.not_found', `Not found: ${path.slice(0, 200)}`);
  }
  const allow = [...match.allow];
  const message = `Method ${method} is not supported here. Supported: ${allow.join(' and ')}.`;
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
