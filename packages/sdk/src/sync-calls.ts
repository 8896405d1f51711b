import type { BatchItem, BatchLoadBody, BatchOkItem } from '@catalog/contract/records/artifact';
import type { SyncManifest } from '@catalog/contract/records/discovery';
import { getEnvelope } from '@catalog/contract/errors/read-envelope';
import type { Connection } from './connection.ts';
import { DISCOVERY_MS, exchange, LOAD_MS, parseJson, type RegistryResponse } from './exchange.ts';
import { NO_REDACTION, type Redaction } from './redact.ts';
import { errorOf } from './registry-error.ts';
import { notARegistry } from './unreachable.ts';

/**
 * Paths of the calls of a sync, which do not use the schemas of the contract because loading these takes long. A test
 * compares the paths with the contract.
 */
export const SYNC_PATHS = {
  manifest: '/v1/sync/manifest',
  batch: '/v1/artifacts:batchLoad',
} as const;

/** Maximum size of a manifest, for about a million artifacts. */
const MAX_MANIFEST_BYTES = 512 * 1024 * 1024;

/** Response with a manifest, or `unchanged` for an equal ETag. */
export type ManifestResponse =
  | { kind: 'unchanged'; server_version: string | undefined }
  | {
      kind: 'manifest';
      manifest: SyncManifest;
      /** ETag; empty if the registry sent none. */
      etag: string;
      /** Received bytes without credentials. */
      bytes: Uint8Array;
      server_version: string | undefined;
    };

/** Loads the manifest of the effective view, or nothing if it still has the given ETag. */
export async function getManifest(
  connection: Connection,
  known: string,
  signal?: AbortSignal,
): Promise<ManifestResponse> {
  const answer = await exchange(
    connection,
    {
      method: 'GET',
      path: SYNC_PATHS.manifest,
      headers: known === '' ? {} : { 'if-none-match': known },
      idle_ms: DISCOVERY_MS,
      repeatable: true,
      limit: MAX_MANIFEST_BYTES,
    },
    signal,
  );
  const server_version = readServerVersion(answer);
  if (answer.status === 304) return { kind: 'unchanged', server_version };
  const bytes = redactManifest(answer.bytes, answer.redaction);
  const manifest = readManifest(bytes);
  if (manifest === undefined) throw notARegistry(connection.registry, 'did not return a manifest');
  const etag = answer.header('etag') ?? '';
  return { kind: 'manifest', manifest, etag, bytes, server_version };
}

/** Removes credentials from a manifest. Most manifests need no change. */
function redactManifest(bytes: Uint8Array, redaction: Redaction): Uint8Array {
  if (redaction === NO_REDACTION) return bytes;
  const text = new TextDecoder().decode(bytes);
  const hasWords = text.includes('"reason"') || text.includes('\\u');
  const value = hasWords ? redaction.value(parseJson(bytes)) : undefined;
  const redacted = value === undefined ? redaction.identifiers(text) : JSON.stringify(value);
  return redacted === text ? bytes : new TextEncoder().encode(redacted);
}

function readServerVersion(answer: RegistryResponse): string | undefined {
  return answer.header('x-catalog-server-version');
}

/** Parses a manifest, ignoring unknown members; undefined if it is invalid. */
export function readManifest(bytes: Uint8Array): SyncManifest | undefined {
  const value = parseJson(bytes);
  if (!isRecord(value)) return undefined;
  const { artifacts, rejected } = value;
  if (!Array.isArray(artifacts) || !artifacts.every(isEntry)) return undefined;
  if (!Array.isArray(rejected) || !rejected.every(isRejection)) return undefined;
  const rules = value['executable_content'];
  if (rules === undefined) return { artifacts, rejected };
  return { artifacts, rejected, executable_content: readContentRules(rules) };
}

type ContentRules = NonNullable<SyncManifest['executable_content']>;

/** Parses rules for executable content. After an invalid rule, all of it needs approval. */
function readContentRules(rules: unknown): ContentRules {
  if (!Array.isArray(rules)) return [{ policy: 'ask' }];
  return rules.map((rule: unknown) => (isContentRule(rule) ? rule : { policy: 'ask' }));
}

function isContentRule(rule: unknown): rule is ContentRules[number] {
  if (!isRecord(rule)) return false;
  const { policy, layer, kinds } = rule;
  return (
    (policy === 'ask' || policy === 'deny') &&
    (layer === undefined || typeof layer === 'string') &&
    (kinds === undefined ||
      (Array.isArray(kinds) && kinds.every((kind) => typeof kind === 'string')))
  );
}

type Entry = SyncManifest['artifacts'][number];
type Rejected = SyncManifest['rejected'][number];

function isEntry(value: unknown): value is Entry {
  return (
    isRecord(value) &&
    areStrings(value, ['id', 'type', 'version', 'layer']) &&
    isHash(value['content_hash']) &&
    typeof value['deprecated'] === 'boolean'
  );
}

function isRejection(value: unknown): value is Rejected {
  return isRecord(value) && areStrings(value, ['artifact_id', 'layer', 'code', 'reason']);
}

/** Loads up to fifty artifacts, each with its own result. */
export async function loadBatch(
  connection: Connection,
  body: BatchLoadBody,
  signal?: AbortSignal,
): Promise<BatchItem[]> {
  const answer = await exchange(
    connection,
    {
      method: 'POST',
      path: SYNC_PATHS.batch,
      body: JSON.stringify(body),
      idle_ms: LOAD_MS,
      // Repeating this request is harmless, because it only reads.
      repeatable: true,
    },
    signal,
  );
  const items = parseJson(answer.bytes);
  if (!Array.isArray(items) || !items.every(isItem)) {
    throw notARegistry(connection.registry, 'did not return a batch of artifacts');
  }
  return items.map((item) => {
    if (item.status === 'ok') return item;
    const error = errorOf(item.error, connection.registry, answer.redaction);
    return { ...item, error: error.toEnvelope() };
  });
}

function isItem(value: unknown): value is BatchItem {
  if (!isRecord(value) || typeof value['id'] !== 'string') return false;
  if (value['status'] === 'error') return getEnvelope(value['error']) !== undefined;
  return value['status'] === 'ok' && isOkItem(value);
}

function isOkItem(value: Record<string, unknown>): boolean {
  const { executable = [], resources } = value;
  return (
    areStrings(value, ['id', 'version', 'layer']) &&
    isHash(value['content_hash']) &&
    isText(value, 'manifest_body') &&
    (value['skill_body'] === undefined || isText(value, 'skill_body')) &&
    Array.isArray(executable) &&
    executable.every((path) => typeof path === 'string') &&
    Array.isArray(resources) &&
    resources.every(isResource)
  );
}

function isText(value: Record<string, unknown>, name: 'manifest_body' | 'skill_body'): boolean {
  return (
    typeof value[name] === 'string' ||
    (typeof value[`${name}_url`] === 'string' &&
      isHash(value[`${name}_hash`]) &&
      isSize(value[`${name}_size`]))
  );
}

function isResource(value: unknown): value is BatchOkItem['resources'][number] {
  return (
    isRecord(value) &&
    typeof value['path'] === 'string' &&
    isHash(value['content_hash']) &&
    isSize(value['size']) &&
    (typeof value['inline'] === 'string' || typeof value['presigned_url'] === 'string')
  );
}

/**
 * Downloads a file up to the announced size. An error of an object store names the store, without the authorization in
 * the URL.
 */
export async function download(
  connection: Connection,
  file: { url: string; size: number },
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const { bytes } = await exchange(
    { ...connection, registry: new URL(file.url).origin },
    { method: 'GET', path: file.url, idle_ms: LOAD_MS, repeatable: true, limit: file.size },
    signal,
  );
  return bytes;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function areStrings(value: Record<string, unknown>, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'string');
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
