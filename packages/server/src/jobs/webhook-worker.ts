import { createLane } from '@catalog/core/lane';
import type { Receiver } from '@catalog/core/ports/receivers';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry/registry.ts';
import { OutboxPages } from '../registry/webhooks/outbox-pages.ts';
import { serveReceiver, type ReceiverService } from '../registry/webhooks/serve-receiver.ts';

/** What the worker tells the process around it. */
export interface WebhookLog {
  attempted(outcome: 'delivered' | 'failed', duration_ms: number): void;
  disabled(receiver: Receiver): void;
  failed(cause: unknown): void;
}

export interface WebhookWorker {
  /** Begins no further attempt; those that run may take `drain_ms`, then they are given up and made again. */
  close(drain_ms: number): Promise<void>;
}

/** What is due by its time is looked for this often; events wake the worker. */
const POLL_MS = 1000;

/** Transactions at a time: ingests and requests need connections to the database too. */
const MAX_EXCHANGES = 3;

/** Sends events to the receivers of every tenant. Several processes share the receivers. */
export function startWebhookWorker(
  registry: Registry,
  worker: string,
  log: WebhookLog,
): WebhookWorker {
  const stopping = new AbortController();
  const giving_up = new AbortController();
  const serving = new Map<string, ReceiverService>();
  const { concurrency } = registry.webhooks;
  const attempts = createLane(concurrency);
  const exchanges = createLane(MAX_EXCHANGES);
  const pages = new OutboxPages(registry.store.outbox, () => registry.now());
  let underway: Promise<void> | undefined;
  let asked = false;
  /** A receiver that is due waits until another one is not. */
  let isLeftOut = false;

  function wake(): void {
    asked = true;
    if (stopping.signal.aborted) return;
    underway ??= look().finally(() => {
      underway = undefined;
      if (asked) wake();
    });
  }

  async function look(): Promise<void> {
    asked = false;
    isLeftOut = false;
    // While nothing can be written nothing is claimed; the end of that wakes the worker.
    if (registry.store.availability().mode !== 'ready') return;
    try {
      const due = await registry.store.dispatches.listDue(registry.now().toISOString());
      for (const { tenant, receiver } of due) serve(tenant, receiver);
    } catch (cause) {
      report(cause);
    }
  }

  function serve(tenant: Tenant, id: string): void {
    const key = `${tenant} ${id}`;
    const served = serving.get(key);
    if (served !== undefined) {
      served.wake();
      return;
    }
    if (serving.size >= concurrency) {
      isLeftOut = true;
      return;
    }
    const service = serveReceiver({
      registry,
      pages,
      tenant,
      id,
      worker,
      attempts,
      exchanges,
      onAttempt: (outcome, duration_ms) => log.attempted(outcome, duration_ms),
      onDisabled: (receiver) => log.disabled(receiver),
      onFailure: report,
      stopping: stopping.signal,
      signal: giving_up.signal,
    });
    serving.set(key, service);
    void service.ended.finally(() => {
      serving.delete(key);
      if (isLeftOut) wake();
    });
  }

  function report(cause: unknown): void {
    const isKnown = stopping.signal.aborted || registry.store.availability().mode !== 'ready';
    if (!isKnown) log.failed(cause);
  }

  const stopListening = registry.store.onCommit(wake);
  const poll = setInterval(wake, POLL_MS).unref();
  wake();
  return {
    async close(drain_ms) {
      stopping.abort();
      stopListening();
      clearInterval(poll);
      await underway;
      const late = setTimeout(() => giving_up.abort(), drain_ms);
      await Promise.all([...serving.values()].map(({ ended }) => ended));
      clearTimeout(late);
    },
  };
}
