import type { VersionList } from '@catalog/contract/records/artifact';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';
import { noSuchArtifact, winningHead } from './resolve-artifact.ts';

/** Lists versions, those of the winning layer first, newest first. */
export async function listVersions(
  registry: Registry,
  context: CallContext,
  id: string,
): Promise<VersionList> {
  const { tenant } = context;
  const view = await resolveView(registry, context);
  const heads = await view.reads.versions.listHeadsOf(tenant, view.stack, [id]);
  const served = new Map(heads.map((head) => [head.layer, head.version]));
  const winner = winningHead(view, heads);
  const versions: VersionList['versions'] = [];
  for (const layer of view.layers.toReversed()) {
    const stored = await view.reads.versions.listVersions(tenant, layer.number, id);
    if (stored.length === 0) continue;
    const commits = await view.reads.versions.listCommits(tenant, layer.number, id);
    for (const {
      version,
      content_hash,
      deprecated,
      ingested_at,
      rolled_back,
    } of stored.toReversed()) {
      versions.push({
        version,
        layer: layer.id,
        content_hash,
        deprecated,
        withdrawn: !served.has(layer.number),
        ...(rolled_back ? { rolled_back } : {}),
        latest: winner?.layer === layer.number && winner.version === version,
        ingested_at,
        ...toCommit(commits.get(version)),
      });
    }
  }
  if (versions.length === 0) throw noSuchArtifact(id);
  return { id, versions };
}

function toCommit(commit: string | undefined): { commit?: string } {
  return commit === undefined ? {} : { commit };
}
