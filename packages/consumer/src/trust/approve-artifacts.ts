import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { nearest } from '@catalog/core/text/nearest';
import type { Config } from '../config/types.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import { openSource } from '../source/open-source.ts';
import { readApprovals } from './approvals-file.ts';
import { approveContent, type ContentOptions } from './approve-content.ts';
import { openContentPolicy } from './content-policy.ts';
import { inspectContent } from './inspect-content.ts';
import { type InspectedArtifact } from './inspected-content.ts';

export async function inspectArtifacts(
  config: Config,
  ids: readonly string[],
  options: IdentityOptions,
  signal?: AbortSignal,
): Promise<InspectedArtifact[]> {
  const source = await openSource(config, options);
  const listing = await source.list(signal);
  const known = new Set(listing.entries.map(({ id }) => id));
  for (const id of ids) if (!known.has(id)) throw notFound(id, known);
  // Approvals cover every capability, even those for which a sync does not ask.
  const policy = openContentPolicy(config, listing, 'agent');
  const approvals = readApprovals(config.approvals_file);
  const artifacts = await source.load(ids, signal);
  return artifacts.map((artifact) => inspectContent(artifact, policy, approvals));
}

/** Records the approval of artifacts, after the user confirms in a terminal. */
export async function approveArtifacts(
  artifacts: readonly InspectedArtifact[],
  config: Config,
  options: Pick<ContentOptions, 'confirmContent'>,
): Promise<void> {
  const all = { written: artifacts, delivered: artifacts };
  const approve = options.confirmContent === undefined ? artifacts.map(({ id }) => id) : [];
  await approveContent(all, config, { ...options, approve });
}

function notFound(id: string, known: ReadonlySet<string>): CatalogError {
  const near = nearest(id, known);
  return new CatalogError('registry.not_found', `Artifact not found in this registry: ${id}.`, {
    details: { id },
    suggested_action:
      near === undefined ? 'Run `catalog search` to find the id.' : `Did you mean ${near}?`,
  });
}
