import type { Artifact } from '@catalog/core/artifact/types';
import {
  planWorkspace,
  type ExistingSkillFolders,
  type TargetRequest,
} from '@catalog/harness/plan';
import type { Plan, PlanOptions } from '@catalog/harness/planned';
import { refuseUntranslatable } from '../sync/refuse-untranslatable.ts';
import type { Preparation } from './preparation.ts';

interface PreparedOptions extends PlanOptions {
  preparation: Preparation;
  held: ExistingSkillFolders;
  unsupported: 'fail' | 'skip';
}

/**
 * Plans files after runtime requirements are checked and hooks have run. Hooks receive only artifacts that the harness
 * supports.
 */
export async function planPrepared(
  requests: readonly TargetRequest[],
  options: PreparedOptions,
  signal?: AbortSignal,
): Promise<PreparedPlan[]> {
  const { checkRuntime, hooks } = options.preparation;
  const plans = plan(requests, options);
  const delivered = requests.map(({ artifacts }, position) =>
    supportedArtifacts(artifacts, plans[position]),
  );
  await checkRuntime([...new Set(delivered.flat())]);
  if (!requests.some(({ adapter }) => hooks.concern(adapter))) return toPrepared(requests, plans);
  const prepared: TargetRequest[] = [];
  for (const [position, request] of requests.entries()) {
    const shown = await hooks.apply(delivered[position] ?? [], request.adapter, signal);
    const changed = new Map(shown.map((artifact) => [artifact.id, artifact]));
    const artifacts = request.artifacts.map((one) => changed.get(one.id) ?? one);
    prepared.push({ ...request, artifacts });
  }
  return toPrepared(prepared, plan(prepared, options));
}

export interface PreparedPlan {
  plan: Plan;
  delivered: Artifact[];
}

function toPrepared(requests: readonly TargetRequest[], plans: readonly Plan[]): PreparedPlan[] {
  return requests.flatMap(({ artifacts }, position) => {
    const planned = plans[position];
    return planned === undefined
      ? []
      : [{ plan: planned, delivered: supportedArtifacts(artifacts, planned) }];
  });
}

function plan(requests: readonly TargetRequest[], options: PreparedOptions): Plan[] {
  const plans = planWorkspace(requests, options, options.held);
  if (options.unsupported === 'fail') refuseUntranslatable(plans);
  return plans;
}

function supportedArtifacts(artifacts: readonly Artifact[], planned: Plan | undefined): Artifact[] {
  const others = [...(planned?.left_out ?? []), ...(planned?.unsupported ?? [])];
  const ids = new Set(others.map(({ artifact_id }) => artifact_id));
  return artifacts.filter(({ id }) => !ids.has(id));
}
