import type { Artifact } from '@catalog/core/artifact/types';
import type { Config } from '../config/types.ts';
import type { TrustOptions } from '../trust/require-trust.ts';
import { openHooks, type Hooks } from './apply-hooks.ts';
import { checkRuntime } from './check-runtime.ts';
import { openHostProbes } from './host-probes.ts';

/** What stands between artifacts that were loaded and the plan of what is written of them. */
export interface Preparation {
  /** Refuses what this machine cannot run. */
  checkRuntime: (artifacts: readonly Artifact[]) => Promise<void>;
  hooks: Hooks;
}

interface PreparationOptions extends TrustOptions {
  /** This machine need not have what the artifacts need. */
  ignore_runtime?: boolean;
}

/** Opens it for one run: the machine is asked once, and whoever is asked for trust is asked first. */
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

/** For whoever only looks: nothing is written, so nothing is checked or shown to a hook. */
export const NO_PREPARATION: Preparation = {
  checkRuntime: () => Promise.resolve(),
  hooks: { concern: () => false, apply: (artifacts) => Promise.resolve([...artifacts]) },
};
