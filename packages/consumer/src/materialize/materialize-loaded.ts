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
 * Writes an artifact for a harness with the code of sync, under the lock of the workspace. If it must not or need not
 * be written, returns the reason, and the agent uses the content.
 */
export async function materializeLoaded(
  request: MaterializeRequest,
  run: MaterializeRun,
  signal?: AbortSignal,
): Promise<Materialized> {
  const { loaded, version, harness } = request;
  const { artifact } = loaded;
  await run.verify?.(loaded);
  const chosen = chooseRoot({ ...request, ...run });
  const place = chosen.kind === 'root' ? chosen.root : run.surroundings.cwd;
  // Settings, hooks and adapters of the target folder apply, as for a sync there.
  const config = loadConfig({ ...run.surroundings, cwd: place, flags: {} });
  const adapters = await loadAdapters(config, {});
  const adapter = loadAdapter(harness, 'workspace', adapters, process.platform);
  const reason = contentOnlyReason(artifact, adapter);
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

/** Errors after which the content is still returned: only writing needs approval (SPEC-64). */
const UNAPPROVED: ReadonlySet<string> = new Set([
  'materialize.consent_required',
  'materialize.policy_denied',
]);

/** Returns why only the content is returned. Throws if the harness can never use the artifact. */
function contentOnlyReason(artifact: Artifact, adapter: HarnessAdapter): string | undefined {
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
