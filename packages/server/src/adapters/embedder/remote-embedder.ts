import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Embedder, TextSide } from '@catalog/core/ports/embedder';
import type { SidePrefixes } from '../../config/embedding-models.ts';
import type { ProviderAccess } from '../../config/embedding-provider.ts';
import type { ObservedEmbedding } from '../../observe/metrics.ts';
import type { EgressAnswer, SendRequest } from '../egress/send-request.ts';
import type { CircuitBreaker, Outcome } from './circuit-breaker.ts';
import { embeddingFailed, embeddingPaused } from './embedding-error.ts';
import type { Lane } from '@catalog/core/lane';
import type { ProviderProtocol } from './provider-protocol.ts';
import { readVectors, statusError } from './read-answer.ts';

/**
 * Connection that all models of a provider share, because the availability of a provider does not depend on the model.
 */
export interface ProviderConnection {
  protocol: ProviderProtocol;
  access: ProviderAccess;
  breaker: CircuitBreaker;
  parallel: number;
  /** Queries and documents use separate lanes, so that a query never waits for documents. */
  lanes: Readonly<Record<TextSide, Lane>>;
  timeouts_ms: Readonly<Record<TextSide, number>>;
}

export interface RemoteModel {
  name: string;
  model: string;
  dimensions: number;
  shortened: boolean;
  prefixes: SidePrefixes;
  floor: number;
}

export interface EmbedderDependencies {
  send: SendRequest;
  monotonicMs: () => number;
  observe: (request: ObservedEmbedding) => void;
}

/** Maximum number of characters sent per text. Models ignore longer text, and the important content comes first. */
const MAX_CHARACTERS = 6000;
/** Maximum number of characters per request, because providers limit the tokens of a request. */
const MAX_REQUEST_CHARACTERS = 100_000;
/** Maximum size of one printed number in a response; providers print different numbers of digits. */
const NUMBER_BYTES = 64;
/** Maximum size of one character if a response repeats the text with JSON escapes. */
const CHARACTER_BYTES = 6;
const OTHER_BYTES = 65_536;

/**
 * Creates an embedder that calls a provider once per request; the caller decides about retries. After repeated
 * failures, calls fail immediately for a while.
 */
export function createRemoteEmbedder(
  line: ProviderConnection,
  model: RemoteModel,
  world: EmbedderDependencies,
): Embedder {
  const { provider } = line.access;

  async function embed(
    texts: readonly string[],
    side: TextSide,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    const sent = texts.map((text) => toSent(model.prefixes[side], text));
    for (const batch of toBatches(sent, line.protocol.batch_size)) {
      vectors.push(...(await embedBatch(batch, side, signal)));
    }
    return vectors;
  }

  async function embedBatch(
    texts: readonly string[],
    side: TextSide,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    // The timeout of a query includes its time in the queue.
    const limit = side === 'query' ? AbortSignal.timeout(line.timeouts_ms.query) : signal;
    const stop = AbortSignal.any([signal, limit]);
    try {
      return await line.lanes[side](() => request(texts, side, stop), stop);
    } catch (cause) {
      signal.throwIfAborted();
      if (cause !== limit.reason) throw cause;
      throw embeddingFailed(
        provider,
        `did not accept the request within ${line.timeouts_ms.query} ms`,
        { cause },
      );
    }
  }

  async function request(
    texts: readonly string[],
    side: TextSide,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const admission = line.breaker.enter();
    if (admission.kind === 'refused') {
      throw embeddingPaused(provider, admission.reason, admission.wait_ms);
    }
    const started = world.monotonicMs();
    const end = (outcome: Outcome): void => {
      admission.end(outcome);
      if (outcome.kind === 'abandoned') return;
      const seconds = (world.monotonicMs() - started) / 1000;
      world.observe({ provider, side, outcome: outcome.kind, seconds });
    };
    try {
      const vectors = await exchange(texts, side, signal);
      end({ kind: 'answered' });
      return vectors;
    } catch (cause) {
      end(outcomeOf(cause));
      throw cause;
    }
  }

  async function exchange(
    texts: readonly string[],
    side: TextSide,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const answer = await send(texts, side, signal);
    if (answer.status < 200 || answer.status > 299) throw statusError(provider, answer);
    const wanted = { provider, count: texts.length, dimensions: model.dimensions };
    return readVectors(answer, wanted, (found) => line.protocol.readVectors(found));
  }

  async function send(
    texts: readonly string[],
    side: TextSide,
    signal: AbortSignal,
  ): Promise<EgressAnswer> {
    const { protocol, access, timeouts_ms } = line;
    const dimensions = model.shortened ? model.dimensions : undefined;
    try {
      return await world.send(
        {
          url: access.base_url + protocol.path,
          method: 'POST',
          headers: headersOf(access),
          body: JSON.stringify(protocol.toBody({ texts, side, model: model.model, dimensions })),
          max_bytes: maxResponseBytes(texts, model.dimensions),
          timeout_ms: timeouts_ms[side],
        },
        signal,
      );
    } catch (cause) {
      if (signal.aborted && !isTimeout(signal.reason)) throw signal.reason;
      throw embeddingFailed(provider, 'did not respond', { cause });
    }
  }

  return {
    model: { name: model.name, dimensions: model.dimensions },
    floor: model.floor,
    leastNearest: async () => model.floor,
    batch_size: line.protocol.batch_size,
    parallel: line.parallel,
    embed,
  };
}

function headersOf({ api_key, org }: ProviderAccess): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(api_key === undefined ? {} : { authorization: `Bearer ${api_key}` }),
    ...(org === undefined ? {} : { 'openai-organization': org }),
  };
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

/** HTTP statuses caused by the texts: a request with other texts may succeed. */
const INVALID_TEXT_STATUSES: ReadonlySet<unknown> = new Set([400, 413, 422]);

function outcomeOf(cause: unknown): Outcome {
  if (!(cause instanceof CatalogError)) return { kind: 'abandoned' };
  const { status, retry_after_seconds } = cause.details;
  if (INVALID_TEXT_STATUSES.has(status)) return { kind: 'answered' };
  const { message: reason } = cause;
  return typeof retry_after_seconds === 'number'
    ? { kind: 'busy', reason, wait_ms: retry_after_seconds * 1000 }
    : { kind: 'failed', reason };
}

function maxResponseBytes(texts: readonly string[], dimensions: number): number {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return texts.length * dimensions * NUMBER_BYTES + characters * CHARACTER_BYTES + OTHER_BYTES;
}

function toSent(prefix: string, text: string): string {
  // Removes unpaired surrogates, which some JSON parsers reject.
  return (prefix + text).slice(0, MAX_CHARACTERS).toWellFormed();
}

function toBatches(texts: readonly string[], maxTexts: number): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (batch.length === maxTexts || characters + text.length > MAX_REQUEST_CHARACTERS) {
      batches.push(batch);
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
