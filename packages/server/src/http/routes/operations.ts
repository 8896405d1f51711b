import * as endpoints from '@catalog/contract/endpoints/operations';
import { HEARTBEAT_SECONDS } from '@catalog/contract/limits';
import { openApiDocument } from '@catalog/contract/open-api';
import type { Health, Readiness } from '@catalog/contract/records/operations';
import { monotonicMs } from '../../adapters/clock.ts';
import { inTime } from '../../adapters/in-time.ts';
import { DEFAULT_LIMITS } from '../connection-limits.ts';
import { clientOf, destroyLater } from '../guard-connections.ts';
import { defineRoute, json, type Route } from '../route.ts';

const HEADERS = {
  'content-type': 'application/x-ndjson',
  // Buffering in a proxy would delay events.
  'x-accel-buffering': 'no',
};

/** Route of the event stream. It writes to the connection directly, so that all readers share the bytes of a line. */
const eventsRoute = defineRoute(endpoints.events, async (call) => {
  const { registry, context, query } = call;
  const stream = await registry.events.open(context.tenant, {
    types: query.type,
    since: query.since,
  });
  const { caller, tenant } = context;
  const leave = registry.stream_places.take(
    caller.kind === 'subject'
      ? { kind: 'user', tenant, subject: caller.subject }
      : { kind: 'address', address: clientOf(call.clientAddress()) },
  );
  return {
    kind: 'raw',
    serve(_incoming, outgoing) {
      if (outgoing.destroyed) return leave();
      outgoing.on('close', leave);
      outgoing.writeHead(200, { ...HEADERS, 'x-catalog-cursor': stream.cursor });
      outgoing.flushHeaders();
      outgoing.setTimeout(0);
      const end = (): void => {
        outgoing.end();
        destroyLater(outgoing, DEFAULT_LIMITS.closeTimeout);
      };
      const subscription = stream.attach({
        write: (bytes) => outgoing.write(bytes),
        end,
      });
      // A stream can outlive tokens, roles and users, so it ends when its caller would be rejected.
      const stopChecking = checkRepeatedly(() => call.isStillAdmitted(), end);
      outgoing.on('close', stopChecking);
      outgoing.on('drain', () => subscription.drained());
      outgoing.on('close', () => subscription.close());
      // The client disconnected in the middle of a line; a `close` event follows.
      outgoing.on('error', () => subscription.close());
    },
  };
});

/** Interval of access checks; most of them read only memory. */
const CHECK_MS = 1000;

/**
 * Calls `end` if a check returns false, or if all checks fail for the duration of a heartbeat. A single failed check
 * does not end a stream, so that streams survive a database failover.
 */
function checkRepeatedly(check: () => Promise<boolean>, end: () => void): () => void {
  let checked_at = monotonicMs();
  let isChecking = false;
  const checking = setInterval(() => {
    if (monotonicMs() - checked_at > HEARTBEAT_SECONDS * 1000) end();
    if (!isChecking) void checkOnce();
  }, CHECK_MS);
  async function checkOnce(): Promise<void> {
    isChecking = true;
    try {
      if (!(await check())) end();
      checked_at = monotonicMs();
    } catch {
      // A failed check decides nothing; the next one may succeed.
    } finally {
      isChecking = false;
    }
  }
  return () => clearInterval(checking);
}

/** Maximum response time of the metadata store; above it, the registry is not ready. */
const PROBE_LIMIT_MS = 2000;

/** Route of the liveness probe, which calls no dependency (SPEC-34). */
const healthzRoute = defineRoute(endpoints.healthz, async ({ registry: { settings, store } }) =>
  json({ mode: settings.public_mode ? 'public' : store.availability().mode } satisfies Health),
);

/**
 * Route of the readiness probe, which depends only on the metadata store. A registry that is read-only (OPS-12) or
 * lacks another dependency (SPEC-79) is ready, because it serves reads. A stopping process is not ready but still
 * serves requests.
 */
const readyzRoute = defineRoute(endpoints.readyz, async ({ registry }) => {
  const { store } = registry;
  const responds = await inTime(store.probe(), PROBE_LIMIT_MS).then(
    () => true,
    () => false,
  );
  const isReady = responds && !registry.isStopping();
  const available = store.availability();
  const degraded = registry.listDegraded();
  const body: Readiness = {
    mode: isReady ? available.mode : 'not_ready',
    replication_lag_seconds: available.mode === 'read_only' ? available.lag_seconds : 0,
    ...(degraded.length === 0 ? {} : { degraded }),
  };
  return json(body, isReady ? 200 : 503);
});

let bytes: Uint8Array | undefined;

/** Route of the OpenAPI document, which is the same for every caller. */
const openApiRoute = defineRoute(endpoints.openApi, async () => {
  bytes ??= Buffer.from(JSON.stringify(openApiDocument()));
  return { kind: 'bytes', status: 200, bytes };
});

export interface Measurements {
  contentType: string;
  metrics(): Promise<string>;
}

export function metricsRoute(measurements: Measurements): Route {
  return defineRoute(endpoints.metrics, async () => ({
    kind: 'bytes',
    status: 200,
    bytes: Buffer.from(await measurements.metrics()),
    media_type: measurements.contentType,
  }));
}

export const healthRoutes: readonly Route[] = [healthzRoute, readyzRoute];

export const operationsRoutes: readonly Route[] = [eventsRoute, ...healthRoutes, openApiRoute];
