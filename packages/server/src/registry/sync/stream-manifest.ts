import type { ManifestEntry, ManifestRejection } from '@catalog/contract/records/discovery';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { ListedHead } from '@catalog/core/ports/versions';
import type { KeySet } from '@catalog/core/signing/key-set';
import type { CallContext, Registry } from '../registry.ts';
import { getAnnouncedKeys } from '../signing/published-keys.ts';
import { listPages, readFirstPage, writeItems, type ReadPage } from '../view/list-pages.ts';
import { resolveView } from '../view/resolve-view.ts';
import type { View } from '../view/view.ts';
import { viewEtag } from '../view/view-etag.ts';

export interface ManifestStream {
  etag: string;
  /** Manifest in chunks, so that memory use does not depend on the size of the catalog. */
  chunks(): AsyncIterable<string>;
}

/** Streams a flat list of artifacts, with those that ingests rejected. */
export async function streamManifest(
  registry: Registry,
  context: CallContext,
): Promise<ManifestStream> {
  const view = await resolveView(registry, context);
  const closing = rulesOf(registry) + signingOf(await getAnnouncedKeys(registry));
  registry.read_log.noteManifest(context);
  return {
    etag: viewEtag(view, closing),
    chunks: () => writeManifest(registry, context, view, closing),
  };
}

async function* writeManifest(
  registry: Registry,
  { tenant }: CallContext,
  view: View,
  closing: string,
): AsyncIterable<string> {
  yield '{"artifacts":[';
  let separator = '';
  const refused: ListedHead[] = [];
  const read: ReadPage<ListedHead> = (page) =>
    view.reads.versions.listView(tenant, view.stack, page);
  for await (const page of listPages(read, '', await readFirstPage(read, ''))) {
    const entries: ManifestEntry[] = [];
    for (const head of page) {
      if (head.servable) entries.push(toEntry(view, head));
      else refused.push(head);
    }
    if (entries.length === 0) continue;
    yield separator + writeItems(entries);
    separator = ',';
  }
  const rejected = await listRejected(registry, tenant, view, refused);
  yield `],"rejected":${JSON.stringify(rejected)}${closing}}`;
}

function rulesOf({ settings }: Registry): string {
  const { executable_content: rules } = settings;
  return rules.length === 0 ? '' : `,"executable_content":${JSON.stringify(rules)}`;
}

function signingOf(keys: KeySet | undefined): string {
  return keys === undefined ? '' : `,"signing":${JSON.stringify({ key_set: keys.version })}`;
}

/** Lists rejected artifacts, and accepted ones that are never served. */
async function listRejected(
  { store }: Registry,
  tenant: Tenant,
  view: View,
  refused: readonly ListedHead[],
): Promise<ManifestRejection[]> {
  const rejections = await view.reads.versions.listRejections(tenant, view.stack);
  const rejected: ManifestRejection[] = rejections.map(
    ({ awaits: _awaits, layer, ...rejection }) => ({
      ...rejection,
      layer: layerId(view, layer),
    }),
  );
  for (const { layer, id, type, version } of refused) {
    const record = await store.versions.get(tenant, layer, id, version);
    rejected.push({
      artifact_id: id,
      layer: layerId(view, layer),
      type,
      code: 'registry.invalid_argument',
      reason: record?.refusal ?? 'It cannot be served.',
    });
  }
  return rejected.sort((a, b) => compareBytes(a.artifact_id, b.artifact_id));
}

function toEntry(
  view: View,
  { id, type, version, layer, content_hash, deprecated }: ListedHead,
): ManifestEntry {
  return { id, type, version, layer: layerId(view, layer), content_hash, deprecated };
}

function layerId(view: View, number: LayerNumber): string {
  return view.byNumber.get(number)?.id ?? '';
}
