import { isJsonObject, type JsonObject } from '@catalog/core/json';
import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import { readRetryAfter } from '../egress/retry-after.ts';
import type { EgressAnswer } from '../egress/send-request.ts';
import { embeddingFailed, embeddingRefused } from './embedding-error.ts';

export interface ExpectedVectors {
  provider: string;
  count: number;
  dimensions: number;
}

/** Scales vectors to unit length and rejects zero or infinite vectors. */
export function readVectors(
  { body }: EgressAnswer,
  { provider, count, dimensions }: ExpectedVectors,
  find: (answer: JsonObject) => readonly unknown[] | undefined,
): Float32Array[] {
  const answer = parse(body);
  const vectors = answer === undefined ? undefined : find(answer);
  if (vectors === undefined) throw embeddingFailed(provider, 'did not return embeddings');
  if (vectors.length !== count) {
    throw embeddingFailed(provider, `returned ${vectors.length} embeddings for ${count} texts`);
  }
  return vectors.map((values) => {
    if (!Array.isArray(values)) throw embeddingFailed(provider, 'left out an embedding');
    if (values.length !== dimensions) throw otherLength(provider, values.length, dimensions);
    const vector = toUnitLength(values);
    if (vector !== undefined) return vector;
    throw embeddingFailed(provider, 'returned an embedding that cannot be compared');
  });
}

function parse(body: Buffer): JsonObject | undefined {
  try {
    const answer: unknown = JSON.parse(body.toString());
    return isJsonObject(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}

function otherLength(provider: string, found: number, wanted: number): CatalogError {
  return embeddingRefused(
    provider,
    `returned embeddings with ${found} dimensions instead of ${wanted}`,
    `Set embedding_provider.dimensions to ${found}, or choose another model.`,
  );
}

function toUnitLength(values: readonly unknown[]): Float32Array | undefined {
  let squares = 0;
  for (const value of values) {
    if (typeof value !== 'number') return undefined;
    squares += value * value;
  }
  // The sum is infinite or NaN if any value is; it is zero if all values are zero or underflow.
  if (!Number.isFinite(squares) || squares <= 0) return undefined;
  const factor = 1 / Math.sqrt(squares);
  return Float32Array.from(values, (value) => Number(value) * factor);
}

const TEMPORARY: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Creates the error of a failed response. Omits the body, which may contain the API key or the embedded text. */
export function statusError(provider: string, { status, headers }: EgressAnswer): CatalogError {
  const reason = `responded with status ${status}`;
  if (status >= 500 || TEMPORARY.has(status)) {
    const wait_ms = readRetryAfter(headers['retry-after']);
    const retry_after_seconds = wait_ms === undefined ? undefined : wait_ms / 1000;
    return embeddingFailed(provider, reason, { status, retry_after_seconds });
  }
  const setting = `embedding_provider.${provider}`;
  const [why, action] =
    status === 401 || status === 403
      ? ['rejected the API key', `Check ${setting}.api_key.`]
      : status === 404
        ? ['does not know the model', `Check ${setting}.model and ${setting}.base_url.`]
        : ['rejected the request', `Check ${setting}.model and the input.`];
  return embeddingRefused(provider, `${reason}: it ${why}`, action, { status });
}
