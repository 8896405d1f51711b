import type { Artifact } from '@catalog/core/artifact/types';
import { inParallel } from '@catalog/core/in-parallel';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import type { Config, MaterializeHook } from '../config/types.ts';
import type { Approved } from '../trust/approved.ts';
import { hashNamedFiles } from '../trust/named-files.ts';
import { approveByFile, type TrustOptions } from '../trust/require-trust.ts';
import { runHook } from './run-hook.ts';
import { requireSandbox } from './sandbox.ts';

/** Maximum number of concurrent hooks, so that the machine stays responsive. */
const PARALLEL = 4;

type HookConfig = Pick<Config, 'materialize_hooks' | 'env' | 'home' | 'workspace' | 'trust_file'>;

/** Harness that a hook refers to, by id or label. */
type Harness = Pick<HarnessAdapter, 'id' | 'label'>;

export interface Hooks {
  concern: (harness: Harness) => boolean;
  apply: (
    artifacts: readonly Artifact[],
    harness: Harness,
    signal?: AbortSignal,
  ) => Promise<Artifact[]>;
}

/** Opens the configured hooks. Requires trust in each file that lists one (SPEC-47). */
export async function openHooks(config: HookConfig, options: TrustOptions): Promise<Hooks> {
  const hooks: Approved<MaterializeHook>[] = [];
  for (const [file, listed] of Map.groupBy(config.materialize_hooks, (hook) => hook.file)) {
    const wants = listed.map(describeHook);
    const lines = (file.content.materialize_hooks ?? []).map((hook) => hook.run);
    const scripts = hashNamedFiles(
      lines.map((words) => ({ words, base: file.base, counts: 'files' })),
      config,
    );
    for (const hook of listed) {
      hooks.push(await approveByFile(hook, config, file, wants, options, scripts));
    }
  }
  const enforceable = new Map<MaterializeHook, Promise<void>>();

  async function applyAll(
    artifact: Artifact,
    harness: Harness,
    signal?: AbortSignal,
  ): Promise<Artifact> {
    let shown = artifact;
    for (const hook of hooks.filter((one) => isFor(one, harness, artifact.type))) {
      const enforced = enforceable.get(hook) ?? requireSandbox(hook, config, signal);
      enforceable.set(hook, enforced);
      await enforced;
      shown = await runHook(hook, shown, config, signal);
    }
    return shown;
  }

  return {
    concern: (harness) => hooks.some((hook) => isFor(hook, harness, undefined)),
    apply: (artifacts, harness, signal) =>
      inParallel(artifacts, { parallel: PARALLEL }, (artifact) =>
        applyAll(artifact, harness, signal),
      ),
  };
}

function describeHook({ name, run, sandbox, reads }: MaterializeHook): string {
  const readable = reads.length === 0 ? '' : `, reads ${reads.join(', ')}`;
  return `${name} (${sandbox}${readable}): ${run.join(' ')}`;
}

function isFor(
  { harnesses, types }: MaterializeHook,
  { id, label }: Harness,
  type: string | undefined,
): boolean {
  if (harnesses !== undefined && !harnesses.includes(id) && !harnesses.includes(label))
    return false;
  return type === undefined || types?.includes(type) !== false;
}
