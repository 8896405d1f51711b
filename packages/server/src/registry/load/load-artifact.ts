import { isSpecific, parsePin } from '@catalog/core/version/pin';
import { toAuditedVersion } from '../audit/audited-version.ts';
import { recordOverride } from '../access/record-override.ts';
import { consumeQuota } from '../access/consume-quota.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView, type ViewOptions } from '../view/resolve-view.ts';
import { createObjectUrls } from './object-urls.ts';
import type { EncodedResponse } from '../caches.ts';
import { cacheResponse } from './response-cache.ts';
import { readInlineFiles } from './read-files.ts';
import {
  noSuchArtifact,
  resolveArtifact,
  type ArtifactRequest,
  type ResolvedArtifact,
} from './resolve-artifact.ts';
import { isInline, loadVersion, toArtifactRecord } from './served-artifact.ts';

export interface LoadedArtifact {
  content_hash: string;
  version: string;
  bytes: Uint8Array;
  /** True if the request named a version and the response contains all files. */
  immutable: boolean;
  expires: boolean;
}

/** Loads an artifact. Every request is authorized before cached bytes are used. */
export async function loadArtifact(
  registry: Registry,
  context: CallContext,
  question: ArtifactRequest & ViewOptions,
): Promise<LoadedArtifact> {
  const resolved = await resolveLoad(registry, context, question);
  const ready = await cacheResponse(registry, context.tenant, resolved, () =>
    encode(registry, context, resolved),
  );
  const { content_hash, version, bytes, is_whole, expires_at, audited } = ready;
  registry.read_log.noteVersion(context, resolved, audited, 'loads');
  return {
    content_hash,
    version,
    bytes,
    immutable: is_whole && isSpecific(parsePin(question.version)),
    expires: expires_at !== undefined,
  };
}

export async function resolveLoad(
  registry: Registry,
  context: CallContext,
  { as_admin, ...question }: ArtifactRequest & ViewOptions,
): Promise<ResolvedArtifact> {
  await consumeQuota(registry, context, 'materialize', 1);
  if (as_admin === true) {
    await recordOverride(registry, context, { operation: 'load_artifact', artifact: question.id });
  }
  const view = await resolveView(registry, context, { as_admin: as_admin === true });
  const resolved = await resolveArtifact(registry, context, view, question);
  if (resolved === undefined) throw noSuchArtifact(question.id);
  return resolved;
}

async function encode(
  registry: Registry,
  { tenant }: CallContext,
  resolved: ResolvedArtifact,
): Promise<EncodedResponse> {
  const { store, signer } = registry;
  const record = await loadVersion(registry, tenant, resolved);
  const bytes = await readInlineFiles(store, tenant, record.files.filter(isInline));
  const addresses = createObjectUrls(registry, tenant);
  const signature = signer && (await store.signatures.get(tenant, record));
  const served = { record, layer: resolved.layer.id, signature };
  const answer = await toArtifactRecord(served, bytes, addresses);
  return {
    content_hash: record.content_hash,
    version: record.version,
    bytes: Buffer.from(JSON.stringify(answer)),
    is_whole: addresses.count === 0,
    expires_at: addresses.expires_at,
    signed_by: signature?.key_id,
    audited: toAuditedVersion(record, resolved.layer.id),
  };
}
