import { HEARTBEAT_SECONDS } from '@catalog/contract/limits';
import { events } from '@catalog/contract/endpoints/operations';
import { defineRoute } from '../route.ts';

const HEADERS = {
  'content-type': 'application/x-ndjson',
  // Proxies that collect answers before they pass them on would hold events back.
  'x-accel-buffering': 'no',
};

/** Writes to the connection itself: thousands of readers share each line's bytes. */
export const eventsRoute = defineRoute(events, async (call) => {
  const { registry, context, query } = call;
  const stream = await registry.events.open(context.tenant, {
    types: query.type,
    since: query.since,
  });
  return {
    kind: 'raw',
    serve(_incoming, outgoing) {
      if (outgoing.destroyed) return;
      outgoing.writeHead(200, { ...HEADERS, 'x-catalog-cursor': stream.cursor });
      outgoing.flushHeaders();
      const subscription = stream.attach({
        write: (bytes) => outgoing.write(bytes),
        end: () => outgoing.end(),
      });
      // A stream outlives tokens, roles and people: who would be refused now is told no more.
      const looking = setInterval(() => {
        call.isStillAdmitted().then(
          (isAdmitted) => isAdmitted || outgoing.end(),
          () => outgoing.end(),
        );
      }, HEARTBEAT_SECONDS * 1000);
      outgoing.on('close', () => clearInterval(looking));
      outgoing.on('drain', () => subscription.drained());
      outgoing.on('close', () => subscription.close());
      // The other side went away in the middle of a line; `close` follows.
      outgoing.on('error', () => subscription.close());
    },
  };
});
