import { setImmediate as nextTurn } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Embedder } from '@catalog/core/ports/embedder';
import type { PendingEmbedding } from '@catalog/core/ports/embeddings';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { VectorIndex } from '@catalog/core/ports/vector-index';
import type { Registry } from '../registry.ts';
import { traceTask } from '../trace-task.ts';
import { readWaitingTexts, type TextToEmbed } from './read-waiting-texts.ts';

/** Number of batches per claim. Parallel claims share them, because each claim costs a statement. */
const BATCHES = 4;
/** Lease of claimed texts, longer than the timeout of every provider. It delays the texts of a process that stopped. */
const LEASE_MS = 120_000;
/** Pause after the first failure, which doubles with each further one. */
const INITIAL_PAUSE_MS = 1000;
/** Maximum pauses for a rejected text and for an unavailable provider. */
const MAX_PAUSE_MS = { refused: 3_600_000, away: 60_000 };

const EMBED = { name: 'embed' };

export interface EmbeddedSome {
  claimed: number;
  full: boolean;
  failed: number;
  /** Time until the next request, if the provider is paused. */
  pause_ms: number;
}

/** Embeds pending texts and removes the vectors of deleted ones. */
export async function embedWaiting(
  registry: Registry,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<EmbeddedSome> {
  const { name: model } = embedder.model;
  const now = registry.now();
  const limit = embedder.batch_size * Math.ceil(BATCHES / registry.store.embeddings.parallel);
  const claimed = await registry.store.embeddings.claimWaiting({
    model,
    now: now.toISOString(),
    until: new Date(now.getTime() + LEASE_MS).toISOString(),
    limit,
  });
  const full = claimed.length === limit;
  const some: EmbeddedSome = { claimed: claimed.length, full, failed: 0, pause_ms: 0 };
  const rowsByLayer = Map.groupBy(claimed, ({ tenant, layer }) => `${tenant} ${layer}`);
  try {
    for (const waiting of rowsByLayer.values()) {
      const [first] = waiting;
      if (first === undefined) continue;
      const share = { registry, embedder, signal, ...first };
      some.failed += await traceTask(registry, undefined, EMBED, () => embedLayer(share, waiting));
    }
    return some;
  } catch (cause) {
    const pause_ms = pauseOf(cause);
    if (pause_ms === undefined && !signal.aborted) throw cause;
    for (const [tenant, rows] of Map.groupBy(claimed, (row) => row.tenant)) {
      if (pause_ms === undefined) {
        await registry.store.embeddings.releaseWaiting(tenant, model, rows);
      } else {
        await postpone({ registry, embedder, tenant }, rows, cause);
      }
    }
    signal.throwIfAborted();
    return { ...some, pause_ms: pause_ms ?? 0 };
  }
}

/** Returns the pause of a provider that was not called; undefined for any other failure. */
function pauseOf(cause: unknown): number | undefined {
  if (!(cause instanceof CatalogError) || cause.code !== 'registry.embedding_failed') {
    return undefined;
  }
  if (cause.details?.['not_sent'] !== true) return undefined;
  return Math.max(INITIAL_PAUSE_MS, retryAfterOf(cause));
}

function retryAfterOf(cause: unknown): number {
  const seconds =
    cause instanceof CatalogError ? cause.details?.['retry_after_seconds'] : undefined;
  return typeof seconds === 'number' ? seconds * 1000 : 0;
}

interface LayerClaim {
  registry: Registry;
  embedder: Embedder;
  signal: AbortSignal;
  tenant: Tenant;
  layer: LayerNumber;
}

async function embedLayer(
  share: LayerClaim,
  waiting: readonly PendingEmbedding[],
): Promise<number> {
  const { registry, embedder, tenant, layer } = share;
  await forget(
    share,
    waiting.filter(({ removed }) => removed),
  );
  const present = waiting.filter(({ removed }) => !removed);
  const texts = await readWaitingTexts(registry, tenant, layer, present);
  if (texts.length < present.length) {
    const found = new Set(texts.map((text) => text.waiting));
    const deletedRows = present.filter((row) => !found.has(row));
    await registry.store.embeddings.finishWaiting(tenant, embedder.model.name, deletedRows);
  }
  const batches: TextToEmbed[][] = [];
  for (let at = 0; at < texts.length; at += embedder.batch_size) {
    batches.push(texts.slice(at, at + embedder.batch_size));
  }
  let failed = 0;
  for (let at = 0; at < batches.length; at += embedder.parallel) {
    const some = batches.slice(at, at + embedder.parallel);
    // All batches end before the claim is released, because another process may then claim the texts.
    const ended = await Promise.allSettled(some.map((batch) => embedBatch(share, batch)));
    for (const outcome of ended) {
      if (outcome.status === 'rejected') throw outcome.reason;
      failed += outcome.value;
    }
    // Requests run between batches, because a model inside this process uses the CPU.
    await nextTurn();
  }
  return failed;
}

async function forget(share: LayerClaim, removed: readonly PendingEmbedding[]): Promise<void> {
  if (removed.length === 0) return;
  const { embedder, tenant, layer } = share;
  const model = embedder.model.name;
  await attemptPut(share, removed, async (vectors, unchanged) => {
    for (const [kind, rows] of Map.groupBy(unchanged, (row) => row.kind)) {
      const ids = rows.map(({ id }) => id);
      await vectors.removeVectors(tenant, { layer, kind, model }, ids);
    }
  });
}

/**
 * Embeds a batch and returns the number of failures. After a rejection the batch is split in halves, so that only the
 * invalid text fails.
 */
async function embedBatch(share: LayerClaim, batch: readonly TextToEmbed[]): Promise<number> {
  const { embedder, signal, tenant, layer } = share;
  const model = embedder.model.name;
  const rows = batch.map(({ waiting }) => waiting);
  let vectors: Float32Array[];
  try {
    vectors = await embedder.embed(
      batch.map(({ text }) => text),
      'document',
      signal,
    );
  } catch (cause) {
    if (signal.aborted || pauseOf(cause) !== undefined) throw cause;
    const mayPass = cause instanceof CatalogError && cause.retryable;
    if (batch.length === 1 || mayPass) {
      await postpone(share, rows, cause);
      return batch.length;
    }
    const half = batch.length >> 1;
    const first = await embedBatch(share, batch.slice(0, half));
    return first + (await embedBatch(share, batch.slice(half)));
  }
  const vectorOf = new Map(rows.map((row, at) => [row, vectors[at] ?? new Float32Array()]));
  const isPut = await attemptPut(share, rows, async (put, unchanged) => {
    const made = unchanged.map((row) => ({ row, vector: vectorOf.get(row) ?? new Float32Array() }));
    for (const [kind, some] of Map.groupBy(made, ({ row }) => row.kind)) {
      const shelf = { layer, kind, model };
      const kept = some.filter(isNonZeroVector).map(({ row, vector }) => ({ id: row.id, vector }));
      const deletedRows = some.filter((each) => !isNonZeroVector(each)).map(({ row }) => row.id);
      await put.putVectors(tenant, shelf, kept);
      if (deletedRows.length > 0) await put.removeVectors(tenant, shelf, deletedRows);
    }
  });
  return isPut ? 0 : batch.length;
}

/** Stores vectors of unchanged texts. Another process may already have stored the vector of a newer text. */
async function attemptPut(
  share: LayerClaim,
  rows: readonly PendingEmbedding[],
  put: (vectors: VectorIndex, unchanged: readonly PendingEmbedding[]) => Promise<void>,
): Promise<boolean> {
  const { registry, embedder, tenant } = share;
  const { embeddings } = registry.store;
  const unchanged = await embeddings.listUnchanged(tenant, embedder.model.name, rows);
  try {
    await put(registry.search.vectors, unchanged);
  } catch (cause) {
    await postpone(share, rows, cause);
    return false;
  }
  await embeddings.finishWaiting(tenant, embedder.model.name, rows);
  return true;
}

/** Returns false for a zero vector, which means that the model knows none of the words. */
function isNonZeroVector({ vector }: { vector: Float32Array }): boolean {
  return vector.some((value) => value !== 0);
}

async function postpone(
  { registry, embedder, tenant }: Pick<LayerClaim, 'registry' | 'embedder' | 'tenant'>,
  rows: readonly PendingEmbedding[],
  cause: unknown,
): Promise<void> {
  const now = registry.now().getTime();
  const reason = cause instanceof Error ? cause.message : String(cause);
  const mayPass = cause instanceof CatalogError && cause.retryable;
  const longest = MAX_PAUSE_MS[mayPass ? 'away' : 'refused'];
  await registry.store.embeddings.postponeWaiting(
    tenant,
    embedder.model.name,
    rows.map((row) => {
      const doubled = Math.min(longest, INITIAL_PAUSE_MS * 2 ** row.attempts);
      const pause = Math.max(doubled, retryAfterOf(cause));
      return { ...row, reason, not_before: new Date(now + pause).toISOString() };
    }),
  );
}
