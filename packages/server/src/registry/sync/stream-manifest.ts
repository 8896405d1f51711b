import type { ManifestEntry, ManifestRejection } from '@catalog/contract/records/discovery';
import type { HeadRecord } from '@catalog/core/ports/versions';
import { NEVER_SERVED } from '../ingest/remember-rejections.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView, type View } from '../view/resolve-view.ts';
import { viewEtag } from '../view/view-etag.ts';

/** A manifest that is about to be sent. */
export interface ManifestAnswer {
  /** Changes with the view; equal tags mean equal manifests. */
  etag: string;
  /** The JSON, piece by piece: memory does not grow with the catalogue. */
  chunks(): AsyncIterable<string>;
}

const PAGE = 1000;

/** The whole effective view as a flat list, and what the ingests of its layers did not take. */
export async function streamManifest(
  registry: Registry,
  context: CallContext,
): Promise<ManifestAnswer> {
  const view = await resolveView(registry, context);
  return {
    etag: viewEtag(view),
    chunks: () => writeManifest(registry, context, view),
  };
}

async function* writeManifest(
  registry: Registry,
  { tenant }: CallContext,
  view: View,
): AsyncIterable<string> {
  const rejections = await registry.store.versions.listRejections(tenant, view.stack);
  const never = new Set(
    rejections.flatMap(({ layer, artifact_id, code }) =>
      code === NEVER_SERVED ? [`${layer}/${artifact_id}`] : [],
    ),
  );
  yield '{"artifacts":[';
  let separator = '';
  for (let after = ''; ;) {
    const page = await registry.store.versions.listView(tenant, view.stack, {
      prefix: '',
      after,
      limit: PAGE,
    });
    const entries = page
      .filter(({ layer, id }) => !never.has(`${layer}/${id}`))
      .map((head) => JSON.stringify(toEntry(view, head)));
    if (entries.length > 0) {
      yield separator + entries.join(',');
      separator = ',';
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last.id;
  }
  const rejected = rejections.map((rejection) => toRejection(view, rejection));
  yield `],"rejected":${JSON.stringify(rejected)}}`;
}

function toEntry(
  view: View,
  { id, type, version, layer, content_hash, deprecated }: HeadRecord,
): ManifestEntry {
  return { id, type, version, layer: layerId(view, layer), content_hash, deprecated };
}

function toRejection(
  view: View,
  {
    artifact_id,
    layer,
    code,
    reason,
  }: { artifact_id: string; layer: number; code: string; reason: string },
): ManifestRejection {
  return { artifact_id, layer: layerId(view, layer), code, reason };
}

function layerId(view: View, number: number): string {
  return view.byNumber.get(number)?.id ?? '';
}
