import type { Artifact } from '@catalog/core/artifact/types';
import type { Config } from '../config/types.ts';
import type { TrustOptions } from '../trust/require-trust.ts';
import { openHooks, type Hooks } from './apply-hooks.ts';
import { checkRuntime } from './check-runtime.ts';
import { openHostProbes } from './host-probes.ts';

export interface Preparation {
  checkRuntime: (artifacts: readonly Artifact[]) => Promise<void>;
  hooks: Hooks;
}

interface PreparationOptions extends TrustOptions {
  ignore_runtime?: boolean;
}

/** Opens the checks and hooks of a run. The machine is examined at most once, and prompts come first. */
export async function openPreparation(
  config: Pick<Config, 'materialize_hooks' | 'env' | 'home' | 'workspace' | 'trust_file'>,
  options: PreparationOptions,
  signal?: AbortSignal,
): Promise<Preparation> {
  const hooks = await openHooks(config, options);
  const probes = openHostProbes(config.env, signal);
  return {
    hooks,
    checkRuntime: async (artifacts) => {
      if (options.ignore_runtime !== true) await checkRuntime(artifacts, probes);
    },
  };
}

/** Checks nothing and runs no hooks, for commands that only read. */
export const NO_PREPARATION: Preparation = {
  checkRuntime: () => Promise.resolve(),
  hooks: { concern: () => false, apply: (artifacts) => Promise.resolve([...artifacts]) },
};
