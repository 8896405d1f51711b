import type { Artifact } from '@catalog/core/artifact/types';
import { planArtifacts } from '@catalog/harness/plan';
import { adapters } from '@catalog/harness/registry';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { HARNESS_NAMES } from '@catalog/harness/product-names';

export interface HarnessPlan {
  id: string;
  name: string;
  verdict: 'native' | 'fallback' | 'left-out' | 'unsupported';
  /** Reasons why the artifact is converted, left out or not supported, one sentence each. */
  reasons: string[];
  files: { path: string; bytes: Uint8Array; executable: boolean }[];
  /** Entries in files with content of the user. */
  entries: { path: string; container: readonly string[]; key: string; value: string }[];
}

/** Plans an artifact for every harness, with the code of `catalog sync`. */
export function planHarnesses(artifact: Artifact): HarnessPlan[] {
  return Object.entries(HARNESS_NAMES).flatMap(([id, name]) => {
    const adapter = adapters.get(id);
    return adapter === undefined ? [] : [planOne(artifact, adapter, name)];
  });
}

function planOne(artifact: Artifact, adapter: HarnessAdapter, name: string): HarnessPlan {
  const plan = planArtifacts([artifact], adapter, { on_clash: 'fail' });
  const { unsupported, fallbacks, left_out } = plan;
  const reasons = [...unsupported, ...left_out, ...fallbacks].map(({ reason }) => reason);
  return {
    id: adapter.id,
    name,
    verdict:
      unsupported.length > 0
        ? 'unsupported'
        : left_out.length > 0
          ? 'left-out'
          : fallbacks.some(({ minor }) => minor !== true)
            ? 'fallback'
            : 'native',
    reasons: [...new Set(reasons)],
    files: plan.files.map(({ path, bytes, executable }) => ({ path, bytes, executable })),
    entries: plan.entries.map(({ path, entry: { container, key, value } }) => ({
      path,
      container,
      key,
      value: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
    })),
  };
}
