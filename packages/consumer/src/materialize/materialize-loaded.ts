import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Artifact } from '@catalog/core/artifact/types';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { planArtifacts } from '@catalog/harness/plan';
import { loadAdapter } from '@catalog/harness/registry';
import { loadAdapters } from '../adapters/load-adapters.ts';
import { loadConfig } from '../config/load-config.ts';
import { refuseUntranslatable } from '../sync/refuse-untranslatable.ts';
import { chooseRoot } from './choose-root.ts';
import type { Materialized, MaterializeRequest, MaterializeRun } from './materialized.ts';
import { writeLoaded } from './write-loaded.ts';

/**
 * Puts one artifact an agent loaded where its harness finds it: checks it, plans it with the code of
 * sync, and writes it under the workspace's lock. Where it may not or need not be written, says why; the
 * agent then works with the content.
 */
export async function materializeLoaded(
  request: MaterializeRequest,
  run: MaterializeRun,
  signal?: AbortSignal,
): Promise<Materialized> {
  const { loaded, version, harness } = request;
  const { artifact } = loaded;
  // The content hash was checked where the bytes arrived.
  await run.verify?.(loaded);
  const chosen = chooseRoot({ ...request, ...run });
  const place = chosen.kind === 'root' ? chosen.root : run.surroundings.cwd;
  // Of the folder that is written into: its settings, hooks and adapters hold for a sync there, too.
  const config = loadConfig({ ...run.surroundings, cwd: place, flags: {} });
  const adapters = await loadAdapters(config, {});
  const adapter = loadAdapter(harness, 'workspace', adapters, process.platform);
  const reason = whyNot(artifact, adapter);
  if (reason !== undefined) return { kind: 'content', reason };
  if (chosen.kind === 'none') return { kind: 'content', reason: chosen.reason };
  const { confirmContent } = request;
  const writing = { loaded, version, confirmContent, adapter, config, root: chosen.root, run };
  try {
    return await writeLoaded(writing, signal);
  } catch (error) {
    if (!(error instanceof CatalogError) || !UNAPPROVED.has(error.code)) throw error;
    return { kind: 'content', reason: error.message, error: error.toEnvelope() };
  }
}

/** The content is returned with these errors: only writing it needs approval (SPEC-64). */
const UNAPPROVED: ReadonlySet<string> = new Set([
  'materialize.consent_required',
  'materialize.policy_denied',
]);

/** Why an artifact is answered as content only; what the harness can never take is an error instead. */
function whyNot(artifact: Artifact, adapter: HarnessAdapter): string | undefined {
  if (Object.keys(adapter.destinations).length === 0) {
    return `${adapter.id} does not read files from a workspace: use the content of this response.`;
  }
  const plan = planArtifacts([artifact], adapter, { on_clash: 'fail' });
  refuseUntranslatable([plan]);
  const [left_out] = plan.left_out;
  if (left_out !== undefined) {
    return `${artifact.id} does not target ${adapter.id}: ${left_out.reason}.`;
  }
  return undefined;
}
