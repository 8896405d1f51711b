import type { KeySetResponse, SignaturesResponse } from '@catalog/contract/records/signature';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { toBundle } from '@catalog/core/signing/bundle';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';

/** Many ids can have the same content. */
const MAX_FOUND = 10_000;

/** Finds signatures of the versions that the caller may load. */
export async function findSignatures(
  registry: Registry,
  context: CallContext,
  content_hashes: readonly string[],
): Promise<{ etag: string; response: SignaturesResponse }> {
  const view = await resolveView(registry, context);
  const found = await registry.store.signatures.find(context.tenant, {
    layers: view.stack,
    content_hashes,
    limit: MAX_FOUND,
  });
  const visible = found.filter(({ id, version }) => view.narrowing?.loads(id, version) !== false);
  const signatures = visible.map((signature) => ({
    id: signature.id,
    version: signature.version,
    layer: view.byNumber.get(signature.layer)?.id ?? '',
    content_hash: signature.content_hash,
    signature: toBundle(signature),
  }));
  const seen = visible.map(({ layer, id, version, signature }) => [layer, id, version, signature]);
  const digest = bytesHash(JSON.stringify(seen)).slice('sha256:'.length);
  return { etag: `"signatures:${digest}"`, response: { signatures } };
}

/** Lists all published key sets, so that a client can follow every rotation that it missed. */
export async function listKeySets({ store }: Registry): Promise<KeySetResponse> {
  const sets = await store.key_sets.list();
  return { key_sets: sets.map(({ document, signatures }) => ({ document, signatures })) };
}
