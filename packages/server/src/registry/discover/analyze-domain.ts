import type { DomainAnalysis } from '@catalog/contract/records/discovery';
import { mayBePassThrough } from '@catalog/core/domain/collapse-chains';
import type { DomainCounts, DomainNode, DomainReader } from '@catalog/core/domain/domain-reader';
import { noSuchDomain } from '@catalog/core/domain/render-domain-map';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';

/** Maximum number of artifacts of a child domain that is suggested for folding into its parent. */
const MAX_FOLD_ARTIFACTS = 1;
/** Minimum number of artifacts, and minimum tag entropy, of a domain that is suggested for splitting. */
const MIN_SPLIT_ARTIFACTS = 20;
const MIN_SPLIT_ENTROPY = 0.7;
/** Maximum number of artifacts whose tags are read for one analysis. */
const MAX_TAGGED = 1000;
const MAX_TAGGED_BELOW = 10_000;

const ALL = { each: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY };

export async function analyzeDomain(
  registry: Registry,
  context: CallContext,
  path: string,
): Promise<DomainAnalysis> {
  const { stack, reads } = await resolveView(registry, context);
  const reader = reads.domains.openReader(context.tenant, stack);
  const node = await reader.getNode(path);
  if (node === undefined) throw noSuchDomain(path);
  const nodes = await reader.listChildren([path], ALL);
  const [own, ...children] = await reader.countArtifacts([
    path,
    ...nodes.map((child) => child.path),
  ]);
  return {
    path,
    artifact_count: own?.artifact_count ?? 0,
    recursive_count: own?.recursive_count ?? 0,
    child_count: children.length,
    passthrough_chain_length: path === '' ? 0 : await countChain(reader, node),
    tag_cluster_entropy: entropyOf(await reader.listTags(path, MAX_TAGGED)),
    fold_candidates: children
      .filter(({ recursive_count }) => recursive_count <= MAX_FOLD_ARTIFACTS)
      .map((child) => ({
        path: child.path,
        reason: child.recursive_count === 0 ? 'It has no artifacts.' : 'It has only one artifact.',
      })),
    split_candidates: await listSplits(reader, children),
    children: children.map((child) => ({
      path: child.path,
      recursive_count: child.recursive_count,
    })),
  };
}

async function countChain(reader: DomainReader, node: DomainNode): Promise<number> {
  let length = 0;
  for (let current = node; mayBePassThrough(current); length += 1) {
    const [only, another] = await reader.listChildren([current.path], { each: 2, all: 2 });
    if (only === undefined || another !== undefined) break;
    current = only;
  }
  return length;
}

async function listSplits(
  reader: DomainReader,
  children: readonly DomainCounts[],
): Promise<DomainAnalysis['split_candidates']> {
  const large = children.filter(({ recursive_count }) => recursive_count >= MIN_SPLIT_ARTIFACTS);
  const share = Math.floor(MAX_TAGGED_BELOW / large.length);
  const tagLimit = Math.min(MAX_TAGGED, Math.max(MIN_SPLIT_ARTIFACTS, share));
  const splits: DomainAnalysis['split_candidates'] = [];
  for (const { path, recursive_count } of large) {
    const entropy = entropyOf(await reader.listTags(path, tagLimit));
    if (entropy < MIN_SPLIT_ENTROPY) continue;
    const mixed = `its tags are mixed (entropy ${entropy.toFixed(2)})`;
    splits.push({ path, reason: `It has ${recursive_count} artifacts, and ${mixed}.` });
  }
  return splits;
}

/** Returns the Shannon entropy of tags in bits, ignoring case. */
function entropyOf(artifacts: readonly (readonly string[])[]): number {
  const counts = new Map<string, number>();
  let total = 0;
  for (const tag of artifacts.flat()) {
    const folded = tag.toLowerCase();
    counts.set(folded, (counts.get(folded) ?? 0) + 1);
    total += 1;
  }
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / total) * Math.log2(count / total);
  // The entropy of a single tag is -0, which becomes 0.
  return Math.max(0, entropy);
}
