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
  // Proxies that buffer responses would delay events.
  'x-accel-buffering': 'no',
};

/** Writes to the connection directly, so that thousands of readers share each line's bytes. */
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
      // A stream outlives tokens, roles and users, so it ends when its caller would be rejected.
      const stopChecking = checkRepeatedly(() => call.isStillAdmitted(), end);
      outgoing.on('close', stopChecking);
      outgoing.on('drain', () => subscription.drained());
      outgoing.on('close', () => subscription.close());
      // The client disconnected in the middle of a line; `close` follows.
      outgoing.on('error', () => subscription.close());
    },
  };
});

/** Most checks read only memory. */
const CHECK_MS = 1000;

/**
 * Calls `end` if a check returns false, or if none has succeeded for the duration of a heartbeat, so
 * that a database failover does not end every stream.
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
      // The result is unknown; the next check may succeed.
    } finally {
      isChecking = false;
    }
  }
  return () => clearInterval(checking);
}

/** Timeout for the metadata store; above it, the registry is not ready. */
const PROBE_LIMIT_MS = 2000;

/** Calls no dependency (SPEC-34). */
const healthzRoute = defineRoute(endpoints.healthz, async ({ registry: { settings, store } }) =>
  json({ mode: settings.public_mode ? 'public' : store.availability().mode } satisfies Health),
);

/**
 * Depends only on the metadata store. A registry that is read-only (OPS-12) or lacks another
 * dependency (SPEC-79) still serves reads, so a load balancer keeps sending requests to it. A
 * process that is about to stop reports that it is not ready and still serves requests.
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

/** The document is the same for every caller. */
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
