import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { BatchItem, BatchLoadBody } from '@catalog/contract/records/artifact';
import type { StoredSignature, VersionKey } from '@catalog/core/ports/signatures';
import type { VersionRecord } from '@catalog/core/ports/versions';
import { toAuditedVersion } from '../audit/audited-version.ts';
import { consumeQuota } from '../access/consume-quota.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';
import type { View } from '../view/view.ts';
import { createObjectUrls } from './object-urls.ts';
import { readInlineFiles } from './read-files.ts';
import { resolveArtifact, resolveLatest, type ResolvedArtifact } from './resolve-artifact.ts';
import { isInline, loadVersion, toBatchItem } from './served-artifact.ts';

/** Loads several artifacts. The batch succeeds even if some of them fail (BATCH-09). */
export async function batchLoad(
  registry: Registry,
  context: CallContext,
  body: BatchLoadBody,
): Promise<BatchItem[]> {
  await consumeQuota(registry, context, 'materialize', body.ids.length);
  const found = await findTogether(registry, context, body);
  const files = found.flatMap((item) => (item.kind === 'found' ? item.record.files : []));
  const bytes = await readInlineFiles(registry.store, context.tenant, files.filter(isInline));
  const addresses = createObjectUrls(registry, context.tenant);
  const signatures = await findSignatures(registry, context, found);
  for (const item of found) if (item.kind === 'found') noteSync(registry, context, item);
  return Promise.all(
    found.map(async (item) =>
      item.kind === 'failed'
        ? toErrorItem(item.id, item.cause)
        : toBatchItem(
            {
              record: item.record,
              layer: item.resolved.layer.id,
              signature: signatures.get(signatureKey(item.record)),
            },
            bytes,
            addresses,
          ),
    ),
  );
}

async function findSignatures(
  { store, signer }: Registry,
  { tenant }: CallContext,
  found: readonly FoundItem[],
): Promise<ReadonlyMap<string, StoredSignature>> {
  const records = found.flatMap((item) => (item.kind === 'found' ? [item.record] : []));
  if (signer === undefined || records.length === 0) return new Map();
  const signatures = await store.signatures.find(tenant, {
    layers: [...new Set(records.map(({ layer }) => layer))],
    content_hashes: records.map(({ content_hash }) => content_hash),
    ids: records.map(({ id }) => id),
    limit: MAX_SIGNATURES,
  });
  return new Map(signatures.map((signature) => [signatureKey(signature), signature]));
}

/** Several versions of the requested ids can have the same content, such as in two layers. */
const MAX_SIGNATURES = 5000;

function signatureKey({ layer, id, version }: VersionKey): string {
  return `${layer}/${id}@${version}`;
}

function noteSync(
  { read_log }: Registry,
  context: CallContext,
  { record, resolved }: Extract<FoundItem, { kind: 'found' }>,
): void {
  read_log.noteVersion(context, resolved, toAuditedVersion(record, resolved.layer.id), 'syncs');
}

/** Maximum number of attempts to read a batch without a concurrent change. The result of the last attempt is returned even if one occurred. */
const MAX_ATTEMPTS = 3;

/** Finds all artifacts in one state of the catalog, before or after an ingest. */
async function findTogether(
  registry: Registry,
  context: CallContext,
  body: BatchLoadBody,
): Promise<FoundItem[]> {
  const { tenant, caller } = context;
  const readView = (): Promise<View> => resolveView(registry, { tenant, caller });
  let view = await resolveView(registry, context);
  for (let attempt = 1; ; attempt += 1) {
    if (body.session_id === undefined) await resolveLatest(context, view, body.ids);
    const before = view;
    const found = await Promise.all(
      body.ids.map((id) => findItem(registry, context, before, body, id)),
    );
    view = await readView();
    if (view === before || attempt === MAX_ATTEMPTS) return found;
  }
}

type FoundItem =
  | { kind: 'found'; record: VersionRecord; resolved: ResolvedArtifact }
  | { kind: 'failed'; id: string; cause: unknown };

async function findItem(
  registry: Registry,
  context: CallContext,
  view: View,
  { session_id, version_pins }: BatchLoadBody,
  id: string,
): Promise<FoundItem> {
  try {
    const pins = version_pins ?? {};
    const version = Object.hasOwn(pins, id) ? (pins[id] ?? '') : '';
    const resolved = await resolveArtifact(registry, context, view, { id, version, session_id });
    if (resolved === undefined) throw denied(id);
    const record = await loadVersion(registry, context.tenant, resolved);
    return { kind: 'found', record, resolved };
  } catch (cause) {
    return { kind: 'failed', id, cause };
  }
}

/** Creates the error for hidden and missing artifacts alike (SPEC-16). */
function denied(id: string): CatalogError {
  return new CatalogError(
    'visibility.denied',
    'The artifact or version does not exist or is not visible to you.',
    { details: { id } },
  );
}

/** Creates the item of a failure. An error without a code becomes `registry.unknown` (ERR-83). */
function toErrorItem(id: string, cause: unknown): BatchItem {
  const error =
    cause instanceof CatalogError
      ? cause
      : new CatalogError('registry.unknown', 'This artifact could not be loaded.');
  return { id, status: 'error', error: error.toEnvelope() };
}
