import { setTimeout as delay } from 'node:timers/promises';
import { createLane, type Lane } from '@catalog/core/lane';
import type { Receiver } from '@catalog/core/ports/receivers';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry/registry.ts';
import { OutboxPages } from '../registry/webhooks/outbox-pages.ts';
import { skipEvents } from '../registry/webhooks/skip-events.ts';
import { serveReceiver, type ReceiverService } from '../registry/webhooks/serve-receiver.ts';

/** Callbacks for webhook attempts, disabled receivers and failures of the worker. */
export interface WebhookLog {
  attempted(outcome: 'delivered' | 'failed', duration_ms: number): void;
  disabled(receiver: Receiver): void;
  failed(cause: unknown): void;
}

/** The background worker that sends webhooks. */
export interface WebhookWorker {
  listServed(): string[];
  /** Stops the worker. Attempts still running after `drain_ms` are aborted and repeated later. */
  close(drain_ms: number): Promise<void>;
}

/** Interval of polls for due dispatches; new events wake the worker. */
const POLL_MS = 1000;

/** Pause between searches for due receivers, because an ingest has many commits. */
const SEARCH_PAUSE_MS = 50;

/** Maximum number of concurrent store accesses, because other work needs database connections too. */
const MAX_EXCHANGES = 3;

/**
 * Fraction of the capacity for additional attempts per receiver, and for receivers whose last attempt failed. The rest
 * is reserved, because hanging receivers occupy their attempts.
 */
const LIMITED_PART = 0.5;

interface Due {
  tenant: Tenant;
  receiver: string;
}

function keyOf({ tenant, receiver }: Due): string {
  return `${tenant} ${receiver}`;
}

/** Starts the worker that sends events to the receivers of every tenant. Several processes share the receivers. */
export function startWebhookWorker(
  registry: Registry,
  worker: string,
  log: WebhookLog,
): WebhookWorker {
  const stopping = new AbortController();
  const aborting = new AbortController();
  const serving = new Map<string, ReceiverService>();
  const { concurrency } = registry.webhooks;
  const firstAttempt = createLane(concurrency);
  const limited = Math.max(1, Math.floor(concurrency * LIMITED_PART));
  const further = createLane(limited);
  const furtherAttempts: Lane = (task, signal) => further(() => firstAttempt(task, signal), signal);
  const exchanges = createLane(MAX_EXCHANGES);
  const pages = new OutboxPages(registry.store.outbox, () => registry.now());
  let underway: Promise<void> | undefined;
  let isWakePending = false;
  const proven = new Set<string>();
  let left_out = new Set<string>();

  function wake(): void {
    isWakePending = true;
    if (stopping.signal.aborted) return;
    underway ??= findWork()
      .then(() =>
        delay(SEARCH_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined),
      )
      .finally(() => {
        underway = undefined;
        if (isWakePending) wake();
      });
  }

  async function findWork(): Promise<void> {
    isWakePending = false;
    // In read-only mode, no dispatches are claimed. The end of read-only mode wakes the worker.
    if (registry.store.availability().mode !== 'ready') return;
    try {
      const due = await listDue();
      const keys = new Set([...left_out, ...due.keys()]);
      left_out = new Set();
      for (const key of keys) {
        const one = due.get(key);
        if (one !== undefined) serve(key, one);
      }
    } catch (cause) {
      report(cause);
    }
  }

  /** Lists the due receivers. The cursors of receivers without interest in the next events have moved past them. */
  async function listDue(): Promise<Map<string, Due>> {
    const read = () => registry.store.dispatches.listDue(registry.now().toISOString());
    let due = await read();
    const idle = due.filter((one) => !serving.has(keyOf(one)));
    let hasSkipped = false;
    for (const [tenant, some] of Map.groupBy(idle, (one) => one.tenant)) {
      const ids = new Set(some.map(({ receiver }) => receiver));
      const skip = () => skipEvents(registry, pages, tenant, ids);
      while (await exchanges(skip)) hasSkipped = true;
    }
    if (hasSkipped) due = await read();
    return new Map(due.map((one) => [keyOf(one), one]));
  }

  function serve(key: string, { tenant, receiver: id }: Due): void {
    const served = serving.get(key);
    if (served !== undefined) {
      served.wake();
      return;
    }
    if (!hasCapacity(key)) {
      left_out.add(key);
      return;
    }
    const service = serveReceiver({
      registry,
      pages,
      tenant,
      id,
      worker,
      firstAttempt,
      furtherAttempts,
      exchanges,
      onAttempt(outcome, duration_ms) {
        log.attempted(outcome, duration_ms);
        noteOutcome(key, outcome);
      },
      onDisabled: (receiver) => log.disabled(receiver),
      onFailure: report,
      isAwaited: () => left_out.size > 0,
      stopping: stopping.signal,
      signal: aborting.signal,
    });
    serving.set(key, service);
    void service.ended.finally(() => {
      serving.delete(key);
      if (left_out.size > 0) wake();
    });
  }

  /** Returns true if the receiver may be served now. Hanging receivers leave capacity for others. */
  function hasCapacity(key: string): boolean {
    if (serving.size >= concurrency) return false;
    if (proven.has(key)) return true;
    let unproven = 0;
    for (const other of serving.keys()) if (!proven.has(other)) unproven += 1;
    return unproven < limited;
  }

  function noteOutcome(key: string, outcome: 'delivered' | 'failed'): void {
    if (outcome === 'failed') proven.delete(key);
    else if (!proven.has(key)) {
      proven.add(key);
      if (left_out.size > 0) wake();
    }
  }

  function report(cause: unknown): void {
    const isKnown = stopping.signal.aborted || registry.store.availability().mode !== 'ready';
    if (!isKnown) log.failed(cause);
  }

  const stopListening = registry.store.onCommit(wake);
  const poll = setInterval(wake, POLL_MS).unref();
  wake();
  return {
    listServed: () => [...serving.keys()].map((key) => key.slice(key.indexOf(' ') + 1)),
    async close(drain_ms) {
      stopping.abort();
      stopListening();
      clearInterval(poll);
      await underway;
      const late = setTimeout(() => aborting.abort(), drain_ms);
      await Promise.all([...serving.values()].map(({ ended }) => ended));
      clearTimeout(late);
    },
  };
}
