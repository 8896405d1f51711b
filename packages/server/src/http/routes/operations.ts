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
  // Proxies that collect answers before they pass them on would hold events back.
  'x-accel-buffering': 'no',
};

/** Writes to the connection itself: thousands of readers share each line's bytes. */
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
      // A reader that falls behind is not disconnected: it reads the rest when it can.
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
      // The other side went away in the middle of a line; `close` follows.
      outgoing.on('error', () => subscription.close());
    },
  };
});

/** Time between two checks of the caller of a stream. Most of them read memory only. */
const CHECK_MS = 1000;

/**
 * Calls `end` if a check returns false, or if none has succeeded for as long as a heartbeat takes: a
 * database that fails over does not end every stream. Returns how to stop.
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
      // Nothing is known of the caller now; the next check may succeed.
    } finally {
      isChecking = false;
    }
  }
  return () => clearInterval(checking);
}

/** Time limit for the metadata store; after it, the registry is not ready. */
const PROBE_LIMIT_MS = 2000;

/** Alive, and in which mode (SPEC-34). Asks nothing of anything else. */
const healthzRoute = defineRoute(endpoints.healthz, async ({ registry: { settings, store } }) =>
  json({ mode: settings.public_mode ? 'public' : store.availability().mode } satisfies Health),
);

/**
 * Depends on the metadata store alone. A registry that is read-only (OPS-12) or lacks another
 * dependency (SPEC-79) still serves reads, so a load balancer keeps sending requests to it. A process
 * that is about to stop is not ready, although it serves requests until then.
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

/** The document is the same for every caller and lives as long as the program. */
const openApiRoute = defineRoute(endpoints.openApi, async () => {
  bytes ??= Buffer.from(JSON.stringify(openApiDocument()));
  return { kind: 'bytes', status: 200, bytes };
});

/** What measurements are read from: a registry of prom-client. */
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
