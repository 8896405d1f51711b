import { join } from 'node:path';
import { tryTriggers } from '@catalog/consumer/discover/try-triggers';
import { decideFolder, readFolder } from '@catalog/consumer/source/read-folder';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Rejection } from '@catalog/core/ingest/types';
import { countFirstResults, type FirstResults } from '@catalog/core/triggers/count-first-results';
import type { TriggerOutcome } from '@catalog/core/triggers/judge-trigger';
import { TRIGGERS_FILE } from '@catalog/core/triggers/read-triggers';
import type { LintScope } from '../lint/choose-scope.ts';
import { listPackages, listRoots, narrowTo } from '../lint/find-problems.ts';

export interface TestReport {
  top_k: number;
  artifacts: number;
  passed: number;
  failed: number;
  tested: { id: string; layer: string; triggers: TriggerOutcome[] }[];
  matrix: FirstResults[];
  /** Artifacts that cannot be tested, because they are not in the catalog. */
  rejected: { id: string; layer: string; reason: string }[];
}

/** Runs trigger tests. Every search covers all artifacts of the folder. */
export async function runTests(scope: LintScope, top_k: number): Promise<TestReport> {
  const reading = readFolder(scope.folder.path, scope.overlay);
  const { layers } = reading;
  const decided = await decideFolder(reading);
  const roots = listRoots(reading, scope);
  const isInScope = narrowTo(
    scope.within,
    layers.flatMap((layer) => listPackages(layer, roots)),
  );
  const isIn = ({ id, layer }: Pick<Artifact, 'id' | 'layer'>): boolean =>
    isInScope(join(roots.get(layer) ?? '', id));
  const { tested, artifacts } = await tryTriggers({ layers, decided }, top_k, isIn);
  const carriers = new Set(
    layers.flatMap(({ layer, packages }) =>
      packages
        .filter(({ resources }) => resources.some(({ path }) => path === TRIGGERS_FILE))
        .map(({ id }) => `${layer} ${id}`),
    ),
  );
  const isUntested = ({ artifact_id: id, layer }: Rejection): boolean =>
    carriers.has(`${layer} ${id}`) && isIn({ id, layer });
  const outcomes = tested.flatMap(({ tried }) => tried.map(({ outcome }) => outcome));
  return {
    top_k,
    artifacts,
    passed: outcomes.filter(({ passed }) => passed).length,
    failed: outcomes.filter(({ passed }) => !passed).length,
    tested: tested.map(({ artifact: { id, layer }, tried }) => ({
      id,
      layer,
      triggers: tried.map(({ outcome }) => outcome),
    })),
    matrix: countFirstResults(
      tested.flatMap(({ artifact: { id }, tried }) =>
        tried.flatMap(({ outcome: { should_trigger, instead, first } }) => {
          const owner = should_trigger ? id : instead;
          return owner === undefined ? [] : [{ owner, first }];
        }),
      ),
    ),
    rejected: decided.rejected
      .filter(isUntested)
      .map(({ artifact_id: id, layer, reason }) => ({ id, layer, reason })),
  };
}
